package dev.restitch.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SourceOfTruthTest {

  private static final String VALID =
      Configs.SMALL.replace(
              "{ order: counter }", "{ order: counter, store: east, key: \"user:{id}:version\" }")
          + """
              repair: [ { policy: source-of-truth, source: db } ]
          sources:
            db:
              jdbc: jdbc:postgresql://localhost/app
              query: { profile: select 1, settings: select 2 }
          """;

  @Test
  void shouldAcceptASourceThatAnswersForEverySide() {
    assertThat(Configs.problems(VALID)).isEmpty();
  }

  @Test
  void shouldWantASource() {
    String yaml = VALID.replace(", source: db", "");

    assertThat(Configs.problems(yaml))
        .anySatisfy(p -> assertThat(p).startsWith("relations.user.repair.0.source: is missing"))
        .anySatisfy(p -> assertThat(p).startsWith("sources.db: is used by no relation"));
  }

  @Test
  void shouldWantAKnownSource() {
    String yaml = VALID.replace("source: db", "source: dp");

    assertThat(Configs.problems(yaml))
        .anySatisfy(
            p ->
                assertThat(p)
                    .startsWith("relations.user.repair.0.source: no source 'dp' is declared")
                    .contains("did you mean 'db'?"));
  }

  @Test
  void shouldWantAQueryForEachSide() {
    String yaml = VALID.replace(", settings: select 2", "");

    assertThat(Configs.problems(yaml))
        .containsExactly(
            "sources.db.query.settings: is missing; relation user has a side of this name");
  }

  @Test
  void shouldRefuseAQueryThatNoSideAsksFor() {
    String yaml = VALID.replace("settings: select 2", "settings: select 2, setings: select 3");

    assertThat(Configs.problems(yaml))
        .singleElement()
        .asString()
        .startsWith("sources.db.query.setings: is the side of no relation")
        .contains("did you mean 'settings'?");
  }

  @Test
  void shouldWantACounterToMintFrom() {
    String yaml = VALID.replace(", store: east, key: \"user:{id}:version\"", "");

    assertThat(Configs.problems(yaml))
        .singleElement()
        .asString()
        .startsWith("relations.user.repair.0.policy: is source-of-truth, which mints a version");
  }

  @Test
  void shouldNeedNoCounterWhereVersionsHaveNoOrder() {
    String yaml =
        VALID
            .replace(
                "{ order: counter, store: east, key: \"user:{id}:version\" }", "{ order: none }")
            .replace("{version}:{token}", "{token}");

    assertThat(Configs.problems(yaml)).isEmpty();
  }
}
