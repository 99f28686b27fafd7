package dev.restitch.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.TypeConversionException;

class TimeTextTest {

  private static final Instant NOW = Instant.parse("2026-05-04T03:00:00Z");

  @Test
  void shouldReadInstantsAndTimesBackFromNow() {
    assertThat(TimeText.parse("2026-05-04T01:00:00Z", NOW)).isEqualTo(NOW.minusSeconds(7200));
    assertThat(TimeText.parse("-2h", NOW)).isEqualTo(NOW.minusSeconds(7200));
    assertThat(TimeText.parse("now", NOW)).isEqualTo(NOW);
  }

  @Test
  void shouldSayHowATimeIsWritten() {
    for (String wrong : new String[] {"2h", "-2", "yesterday", "2026-05-04", ""}) {
      assertThatThrownBy(() -> TimeText.parse(wrong, NOW))
          .isInstanceOf(TypeConversionException.class)
          .hasMessageContaining("'" + wrong + "' is no time; write an instant such as");
    }
  }
}
