package dev.restitch.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {

  @ParameterizedTest
  @CsvSource({
    "250ms,250",
    "2s,2000",
    "1m,60000",
    "1h,3600000",
    "7d,604800000",
    "0s,0",
    "007s,7000"
  })
  void shouldReadANumberAndItsUnit(String text, long millis) {
    assertThat(Durations.parse(text)).isEqualTo(Duration.ofMillis(millis));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "2", "s", "-1s", "1.5s", "2 s", "2S", "1h30m", "PT2S", "999999999999999d"})
  void shouldRefuseAnythingElse(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Durations.parse(text))
        .withMessageContaining("'" + text + "'");
  }

  @Property
  void shouldReadWhatItWrites(@ForAll @LongRange(min = 0, max = 999_999_999_999_999L) long millis) {
    Duration duration = Duration.ofMillis(millis);

    assertThat(Durations.parse(Durations.format(duration))).isEqualTo(duration);
  }
}
