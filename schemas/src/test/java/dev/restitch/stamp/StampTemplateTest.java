package dev.restitch.stamp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.restitch.model.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StampTemplateTest {

  private static final StampTemplate BOTH = StampTemplate.parse("{version}:{token}:{payload}");

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static Stamp stamp(Long version, String token) {
    return new Stamp(version, Bytes.utf8(token));
  }

  @ParameterizedTest
  @ValueSource(strings = {"{version}:{token}:{payload}", "{timestamp}:{token}:{payload}"})
  void shouldReadVersionAndToken(String template) {
    StampTemplate.Parsed parsed =
        StampTemplate.parse(template).read(bytes("7:t1:{\"a\":1}")).orElseThrow();

    assertThat(parsed.stamp()).isEqualTo(stamp(7L, "t1"));
    assertThat(parsed.payloadOffset()).isEqualTo(5);
  }

  @Test
  void shouldReadATokenAlone() {
    StampTemplate template = StampTemplate.parse("{token}:{payload}");

    assertThat(template.read(bytes("t1:x")).orElseThrow().stamp()).isEqualTo(stamp(null, "t1"));
    assertThat(template.hasVersion()).isFalse();
    assertThat(template.startsWithVersion()).isFalse();
  }

  @Test
  void shouldReadAVersionAlone() {
    StampTemplate template = StampTemplate.parse("{version}:{payload}");

    assertThat(template.read(bytes("7:x")).orElseThrow().stamp()).isEqualTo(stamp(7L, ""));
    assertThat(template.hasToken()).isFalse();
    assertThat(template.startsWithVersion()).isTrue();
    assertThat(template.firstSeparator()).isEqualTo(Bytes.utf8(":"));
  }

  @Test
  void shouldReadALiteralBeforeTheFirstField() {
    StampTemplate template = StampTemplate.parse("v{version}|{token}|{payload}");

    assertThat(template.read(bytes("v7|t|x")).orElseThrow().stamp()).isEqualTo(stamp(7L, "t"));
    assertThat(template.read(bytes("7|t|x"))).isEmpty();
    assertThat(template.write(stamp(7L, "t"), bytes("x"))).isEqualTo(bytes("v7|t|x"));
  }

  @Test
  void shouldReadATokenThatIsNotUtf8() {
    byte[] token = {(byte) 0xff, 0, (byte) 0x80};
    byte[] value = BOTH.write(new Stamp(1L, Bytes.copyOf(token)), bytes("p"));

    assertThat(BOTH.read(value).orElseThrow().stamp().token().toArray()).isEqualTo(token);
  }

  @Test
  void shouldLeaveSeparatorsToThePayload() {
    byte[] value = bytes("7:t:::a:b:{c}:");
    StampTemplate.Parsed parsed = BOTH.read(value).orElseThrow();

    assertThat(Arrays.copyOfRange(value, parsed.payloadOffset(), value.length))
        .isEqualTo(bytes("::a:b:{c}:"));
  }

  @Test
  void shouldReadAnEmptyPayload() {
    assertThat(BOTH.read(bytes("7:t:")).orElseThrow().payloadOffset()).isEqualTo(4);
  }

  @Test
  void shouldReadTheGreatestAndTheLeastVersion() {
    assertThat(BOTH.read(bytes("9223372036854775807:t:")).orElseThrow().stamp().version())
        .isEqualTo(Long.MAX_VALUE);
    assertThat(BOTH.read(bytes("0:t:")).orElseThrow().stamp().version()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ":",
        "::",
        "7",
        "7:",
        "7:t",
        "7::p",
        ":t:p",
        "07:t:p",
        "00:t:p",
        "-7:t:p",
        "+7:t:p",
        "7a:t:p",
        " 7:t:p",
        "9223372036854775808:t:p",
        "9999999999999999999:t:p",
        "10000000000000000000:t:p",
        "99999999999999999999999999:t:p",
        "٧:t:p",
        "hello"
      })
  void shouldSayThatAValueIsNotStamped(String value) {
    assertThat(BOTH.read(bytes(value))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a:b", ":", "a:"})
  void shouldRefuseToWriteATokenThatCannotBeReadBack(String token) {
    assertThatIllegalArgumentException().isThrownBy(() -> BOTH.prefix(stamp(7L, token)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a:", ":", "x::y", "::"})
  void shouldRefuseATokenInWhichALongSeparatorBegins(String token) {
    StampTemplate template = StampTemplate.parse("{token}::{payload}");

    assertThatIllegalArgumentException().isThrownBy(() -> template.prefix(stamp(null, token)));
  }

  @Test
  void shouldRefuseToWriteWithoutAVersion() {
    assertThatIllegalArgumentException().isThrownBy(() -> BOTH.prefix(stamp(null, "t")));
    assertThatIllegalArgumentException().isThrownBy(() -> BOTH.prefix(stamp(-1L, "t")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{payload}",
        "{version}:{token}",
        "{version}:{token}:{payload}:",
        "{version}{payload}",
        "{version}:{version}:{payload}",
        "{version}:{timestamp}:{payload}",
        "{tok}:{payload}",
        "{version:{payload}",
        "x{payload}",
        "{version}0{payload}",
        "{version}1:{token}:{payload}"
      })
  void shouldRefuseATemplateThatCannotWork(String template) {
    assertThatIllegalArgumentException().isThrownBy(() -> StampTemplate.parse(template));
  }
}
