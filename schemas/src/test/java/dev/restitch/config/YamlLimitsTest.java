package dev.restitch.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class YamlLimitsTest {

  private static String only(List<String> problems) {
    assertThat(problems).hasSize(1);
    return problems.get(0);
  }

  @Test
  void shouldSayWhereTheYamlIsBroken() {
    assertThat(only(Configs.problems("stores:\n  east: { uri: hunter2\n")))
        .startsWith("the configuration is not valid YAML, line 3, column 1")
        .doesNotContain("hunter2");
  }

  @Test
  void shouldNotShowAValueThatLooksLikeAnAlias() {
    assertThat(only(Configs.problems("registry: { password: *hunter2 }")))
        .contains("quote a value that begins with '*'")
        .doesNotContain("hunter2");
  }

  @Test
  void shouldBoundDepthAndSize() {
    assertThat(only(Configs.problems("a: " + "[".repeat(200) + "]".repeat(200))))
        .contains("is not valid YAML");
    assertThat(only(Configs.problems("a: " + "x".repeat(5 << 20)))).contains("is not valid YAML");
  }

  @Test
  void shouldBoundAliases() {
    StringBuilder bomb = new StringBuilder("a0: &a0 [x, x]\n");
    for (int i = 1; i < 120; i++) {
      bomb.append("a" + i + ": &a" + i + " [*a" + (i - 1) + ", *a" + (i - 1) + "]\n");
    }

    assertThat(only(Configs.problems(bomb.toString()))).contains("is not valid YAML");
  }

  @Test
  void shouldRefuseAnAliasInsideItsOwnAnchor() {
    assertThat(Configs.problems(Configs.SMALL + "sources: &s { db: *s }\n"))
        .anySatisfy(p -> assertThat(p).contains("an alias stands inside the anchor"));
  }

  @Test
  void shouldConstructNothingFromTags() {
    String tag = "!!javax.script.ScriptEngineManager []";

    assertThat(only(Configs.problems(Configs.SMALL + "state-dir: " + tag + "\n")))
        .contains("is not valid YAML, line 11", "quote a value that begins with '!'");
  }

  @Test
  void shouldNotLoseTheBeginningOfAValueThatLooksLikeATag() {
    assertThat(only(Configs.problems(Configs.SMALL + "state-dir: !my folder\n")))
        .startsWith("state-dir: tags (!name) are not used; quote a value that begins with '!'");
  }

  @Test
  void shouldRefuseTwoDocuments() {
    assertThat(only(Configs.problems("a: 1\n---\nb: 2\n"))).contains("is not valid YAML");
  }
}
