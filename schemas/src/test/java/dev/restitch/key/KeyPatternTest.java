package dev.restitch.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.restitch.model.Bytes;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeyPatternTest {

  private static List<String> captures(String pattern, String key) {
    return KeyPattern.parse(pattern)
        .match(Bytes.utf8(key))
        .map(list -> list.stream().map(Bytes::toString).toList())
        .orElse(null);
  }

  @Test
  void shouldCaptureOneSegment() {
    assertThat(captures("user:{id}:profile", "user:7:profile")).containsExactly("7");
    assertThat(captures("user:{id}:profile", "user::profile")).isNull();
    assertThat(captures("user:{id}:profile", "user:7:8:profile")).isNull();
    assertThat(captures("user:{id}:profile", "user:7:profile:x")).isNull();
    assertThat(captures("user:{id}:profile", "xuser:7:profile")).isNull();
    assertThat(captures("user:{id}:profile", "user:profile")).isNull();
    assertThat(captures("{id}", "7")).containsExactly("7");
    assertThat(captures("{id}", "7:8")).isNull();
    assertThat(captures("{id}", "")).isNull();
  }

  @Test
  void shouldCaptureSeveral() {
    assertThat(captures("cart:{shop}:{id}:lines", "cart:acme:7:lines"))
        .containsExactly("acme", "7");
    assertThat(captures("{a}-{b}", "x-y-z")).containsExactly("x", "y-z");
    assertThat(captures("{a}-{b}", "-y")).isNull();
    assertThat(captures("{a}--{b}-", "--")).isNull();
  }

  @Test
  void shouldTakeDoubledBracesLiterally() {
    assertThat(captures("emq:{{{q}}}:pending", "emq:{orders}:pending")).containsExactly("orders");
    assertThat(captures("emq:{{{q}}}:pending", "emq:orders:pending")).isNull();
    assertThat(captures("{{id}}:x", "{id}:x")).isEmpty();
    assertThat(KeyPattern.parse("emq:{{{q}}}:pending").format(List.of(Bytes.utf8("orders"))))
        .isEqualTo(Bytes.utf8("emq:{orders}:pending"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "}", "a{b", "a}b", "{}", "{a b}", "{a}{b}", "{a}:{a}", "{1a}"})
  void shouldRefuseAPatternThatCannotWork(String pattern) {
    assertThatIllegalArgumentException().isThrownBy(() -> KeyPattern.parse(pattern));
  }

  @ParameterizedTest
  @CsvSource({
    "user:{id}:profile,user:{x}:profile,true",
    "user:{id}:profile,user:7:{what},true",
    "user:{id}:profile,user:{id}:settings,false",
    "user:{id},user:{id}:profile,false",
    "emq:{{{q}}}:pending,emq:{q}:pending,true",
    "emq:{{{q}}}:pending,emq:orders:pending,false",
    "emq:{{{q}}}:pending,emq:{{orders}}:pending,true",
    "emq:{{{q}:pending,emq:{q}}}:pending,true",
    "a{x}:k,b{x}:k,false",
    "{x}a:k,{x}b:k,false",
    "a{x},{x}a,true",
    "ab{x},a,false",
    "ab{x},ab,false",
    "ab{x},abc,true",
    "a{x}a,aa,false",
    "a{x}b{y}c,abbc,false",
    "a{x}b{y}c,axbyc,true",
    "a{x}b{y},a{x}c,true",
    "same,same,true",
  })
  void shouldKnowWhetherTwoPatternsHaveAKeyInCommon(String a, String b, boolean overlap) {
    KeyPattern left = KeyPattern.parse(a);
    KeyPattern right = KeyPattern.parse(b);

    assertThat(left.overlaps(right)).isEqualTo(overlap);
    assertThat(right.overlaps(left)).isEqualTo(overlap);
  }

  @Test
  void shouldRefuseTheWrongNumberOfCaptures() {
    KeyPattern pattern = KeyPattern.parse("user:{id}");

    assertThatIllegalArgumentException().isThrownBy(() -> pattern.format(List.of()));
  }
}
