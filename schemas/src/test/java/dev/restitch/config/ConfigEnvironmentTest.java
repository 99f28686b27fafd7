package dev.restitch.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.restitch.config.RelationConfig.VerdictSwitch;
import dev.restitch.config.RepairPolicyConfig.Policy;
import dev.restitch.model.Verdict;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConfigEnvironmentTest {

  private static RestitchConfig parse(Map<String, String> env) {
    return ConfigLoader.parse(Configs.SMALL, env);
  }

  @Test
  void shouldOverrideAndAddKafkaProperties() {
    String yaml =
        Configs.SMALL + "kafka: { bootstrap.servers: a:1, max_odd.name: x, linger.ms: 5 }\n";

    RestitchConfig config =
        ConfigLoader.parse(
            yaml,
            Map.of(
                "RESTITCH_KAFKA_BOOTSTRAP_SERVERS", "b:2",
                "RESTITCH_KAFKA_MAX_ODD_NAME", "y",
                "RESTITCH_KAFKA_SECURITY_PROTOCOL", "SSL"));

    assertThat(config.kafka())
        .containsOnly(
            Map.entry("bootstrap.servers", "b:2"),
            Map.entry("max_odd.name", "y"),
            Map.entry("linger.ms", "5"),
            Map.entry("security.protocol", "SSL"));
  }

  @Test
  void shouldOverrideKeysThatTheFileLacks() {
    RestitchConfig config =
        parse(
            Map.of(
                "RESTITCH_KAFKA_BOOTSTRAP_SERVERS", "b:2",
                "RESTITCH_MANAGEMENT_PORT", "9000",
                "RESTITCH_STATE_DIR", "/state",
                "RESTITCH_STORES_EAST_URI", "redis://other:1",
                "RESTITCH_RELATIONS_USER_SETTLE", "5s",
                "RESTITCH_RELATIONS_USER_VERDICTS_DIVERGED", "off",
                "RESTITCH_RELATIONS_USER_MARKER_STORE", "west",
                "RESTITCH_RELATIONS_USER_MARKER_KEY", "txn:{token}",
                "RESTITCH_RELATIONS_USER_BRAKE_COUNT", "7"));

    RelationConfig user = config.relations().get("user");
    assertThat(config.kafka()).containsEntry("bootstrap.servers", "b:2");
    assertThat(config.management().port()).isEqualTo(9000);
    assertThat(config.stateDir()).isEqualTo("/state");
    assertThat(config.stores().get("east").uris()).containsExactly("redis://other:1");
    assertThat(user.settle()).isEqualTo(Duration.ofSeconds(5));
    assertThat(user.switchOf(Verdict.DIVERGED)).isEqualTo(VerdictSwitch.OFF);
    assertThat(user.marker().store()).isEqualTo("west");
    assertThat(user.brake().count()).isEqualTo(7);
  }

  @Test
  void shouldReadListsFromVariables() {
    String yaml = Configs.SMALL.replace("uri: \"redis://localhost:7001\"", "uris: [redis://a]");

    RestitchConfig config =
        ConfigLoader.parse(
            yaml,
            Map.of(
                "RESTITCH_STORES_EAST_URIS", "redis://b:1, redis://c:2",
                "RESTITCH_RELATIONS_USER_REPAIR", "[{policy: roll-forward}, {policy: report}]"));

    assertThat(config.stores().get("east").uris()).containsExactly("redis://b:1", "redis://c:2");
    assertThat(config.relations().get("user").repair())
        .extracting(RepairPolicyConfig::policy)
        .containsExactly(Policy.ROLL_FORWARD, Policy.REPORT);
  }

  @Test
  void shouldMatchNamesThatHaveOtherCharacters() {
    String yaml = Configs.SMALL.replace("east", "East-1").replace("  user:\n", "  user.v2:\n");

    RestitchConfig config =
        ConfigLoader.parse(
            yaml,
            Map.of(
                "RESTITCH_STORES_EAST_1_USERNAME", "me",
                "RESTITCH_RELATIONS_USER_V2_RATE", "3",
                "RESTITCH_RELATIONS_USER_V2_SIDES_PROFILE_PAYLOAD", "p"));

    assertThat(config.stores().get("East-1").username()).isEqualTo("me");
    assertThat(config.relations().get("user.v2").rate()).isEqualTo(3);
    assertThat(config.relations().get("user.v2").sides().get(0).payload()).isEqualTo("p");
  }

  @Test
  void shouldOverrideAnElementOfAList() {
    String yaml = Configs.withRelationLines("repair: [ { policy: report } ]");

    RelationConfig user =
        Configs.user(yaml, Map.of("RESTITCH_RELATIONS_USER_REPAIR_0_POLICY", "roll-forward"));

    assertThat(user.repair().get(0).policy()).isEqualTo(Policy.ROLL_FORWARD);
  }

  @Test
  void shouldNameTheVariableThatIsWrong() {
    assertThat(Configs.problems(Configs.SMALL, Map.of("RESTITCH_RELATIONS_USER_SETTLE", "soon")))
        .singleElement()
        .asString()
        .startsWith("relations.user.settle: 'soon' is not a duration")
        .endsWith("(RESTITCH_RELATIONS_USER_SETTLE)");
  }

  @Test
  void shouldRefuseAVariableThatOverridesNothing() {
    assertThat(Configs.problems(Configs.SMALL, Map.of("RESTITCH_RELATIONS_USR_SETTLE", "5s")))
        .singleElement()
        .asString()
        .startsWith("RESTITCH_RELATIONS_USR_SETTLE: overrides no key");
  }

  @Test
  void shouldRefuseAVariableThatMeansTwoKeys() {
    String yaml =
        Configs.SMALL
            + """
              us_er: &r
                sides: { a: { store: east, key: "a:{id}" } }
                stamp: "{token}:{payload}"
              us-er:
                sides: { b: { store: east, key: "b:{id}" } }
                stamp: "{token}:{payload}"
            """;

    assertThat(Configs.problems(yaml)).isEmpty();
    assertThat(Configs.problems(yaml, Map.of("RESTITCH_RELATIONS_US_ER_RATE", "5")))
        .containsExactly(
            "RESTITCH_RELATIONS_US_ER_RATE: is the name of two keys, relations.us_er.rate and"
                + " relations.us-er.rate; rename one");
  }

  @Test
  void shouldLeaveOtherVariablesAlone() {
    RestitchConfig config =
        parse(
            Map.of(
                "RESTITCH_HOME", "/opt",
                "RESTITCH_URL", "http://x",
                "RESTITCH_MANAGEMENT_PORT", "",
                "RESTITCH_KAFKA_PORT_9092_TCP_ADDR", "10.0.0.1",
                "RESTITCH_REGISTRY_SERVICE_HOST", "10.0.0.2",
                "RESTITCH_REGISTRY_PORT", "tcp://10.0.0.2:80"));

    assertThat(config).isEqualTo(Configs.parse(Configs.SMALL));
  }
}
