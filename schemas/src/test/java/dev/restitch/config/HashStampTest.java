package dev.restitch.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.restitch.key.KeyPattern;
import dev.restitch.model.Bytes;
import dev.restitch.stamp.Stamp;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HashStampTest {

  private static final int LIMIT = 4;

  @Test
  void shouldReadVersionAndToken() {
    assertThat(side("v", "t").stampOf(bytes("7"), bytes("tok"), LIMIT))
        .contains(new Stamp(7L, Bytes.utf8("tok")));
  }

  @Test
  void shouldReadOnlyTheFieldsThatAreDeclared() {
    assertThat(side(null, "t").stampOf(null, bytes("tok"), LIMIT))
        .contains(new Stamp(null, Bytes.utf8("tok")));
    assertThat(side("v", null).stampOf(bytes("0"), null, LIMIT))
        .contains(new Stamp(0L, Bytes.EMPTY));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "07", "-1", "x", "9223372036854775808", "10000000000000000000", "7 "})
  void shouldNotTakeWhatIsNoVersion(String version) {
    assertThat(side("v", "t").stampOf(bytes(version), bytes("tok"), LIMIT)).isEmpty();
  }

  @Test
  void shouldTakeTheLargestVersion() {
    assertThat(side("v", null).stampOf(bytes("9223372036854775807"), null, LIMIT))
        .contains(new Stamp(Long.MAX_VALUE, Bytes.EMPTY));
  }

  @Test
  void shouldTakeTokensUpToTheLimit() {
    assertThat(side("v", "t").stampOf(bytes("7"), bytes("123"), LIMIT)).isPresent();
    assertThat(side("v", "t").stampOf(bytes("7"), bytes("1234"), LIMIT)).isPresent();
    assertThat(side("v", "t").stampOf(bytes("7"), bytes("12345"), LIMIT)).isEmpty();
    assertThat(side("v", "t").stampOf(bytes("7"), bytes(""), LIMIT)).isEmpty();
  }

  @Test
  void shouldNotTakeHalfAStamp() {
    assertThat(side("v", "t").stampOf(null, bytes("tok"), LIMIT)).isEmpty();
    assertThat(side("v", "t").stampOf(bytes("7"), null, LIMIT)).isEmpty();
  }

  private static SideConfig side(String version, String token) {
    return new SideConfig(
        "s", "east", KeyPattern.parse("k:{id}"), null, SideType.HASH, version, token);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
