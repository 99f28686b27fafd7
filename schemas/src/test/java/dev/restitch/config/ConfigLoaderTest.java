package dev.restitch.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.restitch.config.RelationConfig.Brake;
import dev.restitch.config.RelationConfig.VerdictSwitch;
import dev.restitch.config.RepairPolicyConfig.Policy;
import dev.restitch.config.StoreConfig.Kind;
import dev.restitch.config.VersionConfig.Order;
import dev.restitch.model.Verdict;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigLoaderTest {

  @Test
  void shouldReadTheConfigurationOfTheWorkedCases() {
    RestitchConfig config = Configs.parse(Configs.resource("relations.yaml"));

    assertThat(config.relations().keySet())
        .containsExactly("user", "order", "doc", "price", "pay", "acct");
    assertThat(config.registry().url()).isEqualTo("http://localhost:8081");
    assertThat(config.relations().get("order").writesAll()).isFalse();
    assertThat(config.relations().get("doc").version().order()).isEqualTo(Order.NONE);
    assertThat(config.relations().get("price").version().maxSkew())
        .isEqualTo(Duration.ofMillis(250));
    assertThat(config.relations().get("pay").marker().ttl()).isEqualTo(Duration.ofHours(1));
  }

  @Test
  void shouldReadEveryKindOfStoreRelationAndPolicy() {
    RestitchConfig config = Configs.parse(Configs.resource("everything.yaml"));

    assertThat(config.stores().get("east").kind()).isEqualTo(Kind.STANDALONE);
    assertThat(config.stores().get("west").kind()).isEqualTo(Kind.SHARDED);
    assertThat(config.stores().get("west").uris())
        .containsExactly("redis://localhost:7002", "redis://localhost:7003");
    assertThat(config.stores().get("main").kind()).isEqualTo(Kind.CLUSTER);
    RelationConfig pay = config.relations().get("pay");
    assertThat(pay.repair())
        .extracting(RepairPolicyConfig::policy)
        .containsExactly(Policy.MARK, Policy.REPORT);
    assertThat(pay.repair().get(0).on()).containsExactly(Verdict.MARKER_MISSING);
    assertThat(pay.switchOf(Verdict.UNDECIDED)).isEqualTo(VerdictSwitch.DECLARE);
    assertThat(pay.switchOf(Verdict.UNCLAIMED)).isEqualTo(VerdictSwitch.OFF);
    assertThat(config.relations().get("cart").stamp()).hasToString("{version}:{token}:{payload}");
    assertThat(config.relations().get("events").log()).isTrue();
    assertThat(config.sources().get("users-db").maximumPoolSize()).isEqualTo(8);
  }

  @Test
  void shouldFillInEveryDefault() {
    String yaml = Configs.SMALL.replace("    version: { order: counter }\n", "");

    RestitchConfig config = Configs.parse(yaml);

    assertThat(config.kafka()).isEqualTo(Map.of("bootstrap.servers", "localhost:9092"));
    assertThat(config.registry())
        .isEqualTo(new RegistryConfig("http://localhost:8081", "restitch", null, null));
    assertThat(config.topics()).isEqualTo(new TopicsConfig("restitch", 4, 1));
    assertThat(config.management()).isEqualTo(new ManagementConfig("127.0.0.1", 8282, 8283, null));
    assertThat(config.startupPatience()).isEqualTo(Duration.ofMinutes(2));
    assertThat(config.gapPatience()).isEqualTo(Duration.ofMinutes(5));
    assertThat(Path.of(config.stateDir()))
        .isEqualTo(Path.of(System.getProperty("java.io.tmpdir")).resolve("restitch"));
    RelationConfig user = config.relations().get("user");
    assertThat(user.writesAll()).isTrue();
    assertThat(user.version().order()).isEqualTo(Order.NONE);
    assertThat(user.intentsRequired()).isFalse();
    assertThat(user.settle()).isEqualTo(Duration.ofSeconds(2));
    assertThat(user.memory()).isEqualTo(Duration.ofHours(1));
    assertThat(user.ttlTolerance()).isEqualTo(Duration.ofSeconds(5));
    assertThat(user.patience()).isEqualTo(Duration.ofMinutes(1));
    assertThat(user.repair()).extracting(RepairPolicyConfig::policy).containsExactly(Policy.REPORT);
    assertThat(user.stampLimit()).isEqualTo(512);
    assertThat(user.rate()).isEqualTo(100);
    assertThat(user.brake()).isEqualTo(new Brake(0.2, 100));
    assertThat(user.generations()).isEqualTo(5);
    assertThat(user.verdicts()).isEmpty();
    assertThat(user.switchOf(Verdict.UNDECIDED)).isEqualTo(VerdictSwitch.COUNT);
    assertThat(user.switchOf(Verdict.TORN_MISSING)).isEqualTo(VerdictSwitch.DECLARE);
  }

  @Test
  void shouldFollowAnAlias() {
    String yaml =
        Configs.SMALL
            .replace("{ uri: \"redis://localhost:7001\" }", "&s { uri: redis://h:1 }")
            .replace("{ uri: \"redis://localhost:7002\" }", "*s");

    assertThat(Configs.parse(yaml).stores().get("west").uris()).containsExactly("redis://h:1");
  }

  @Test
  void shouldTreatASectionWithoutKeysAsAbsent() {
    String yaml = Configs.SMALL + "sources:\nmanagement:\n";

    assertThat(Configs.parse(yaml)).isEqualTo(Configs.parse(Configs.SMALL));
  }

  @Test
  void shouldLoadAFile(@TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("restitch.yaml"), Configs.SMALL);

    assertThat(ConfigLoader.load(file, Map.of())).isEqualTo(Configs.parse(Configs.SMALL));
  }

  @Test
  void shouldSayWhichFileIsMissing(@TempDir Path folder) {
    Path file = folder.resolve("none.yaml");

    assertThatThrownBy(() -> ConfigLoader.load(file, Map.of()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("there is no file " + file);
  }

  @Test
  void shouldSayThatAFileIsNotText(@TempDir Path folder) throws Exception {
    Path file = Files.write(folder.resolve("x.yaml"), new byte[] {(byte) 0xff, (byte) 0xfe, 0});

    assertThatThrownBy(() -> ConfigLoader.load(file, Map.of()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("is not UTF-8 text");
  }

  @Test
  void shouldReadHowHardSweepsMayWork() {
    assertThat(Configs.parse(Configs.resource("everything.yaml")).sweep())
        .isEqualTo(
            new SweepConfig(
                500,
                5_000,
                Duration.ofMinutes(10),
                Duration.ofMillis(20),
                0.8,
                Duration.ofSeconds(30)));
    assertThat(Configs.parse(Configs.SMALL).sweep()).isEqualTo(SweepConfig.DEFAULT);
    assertThat(
            ConfigLoader.parse(Configs.SMALL, Map.of("RESTITCH_SWEEP_GAP_RATE", "7"))
                .sweep()
                .gapRate())
        .isEqualTo(7);
  }

  @Test
  void shouldRefuseASweepThatNeverGetsOn() {
    assertThatThrownBy(() -> Configs.parse(Configs.SMALL + "sweep: { gap-rate: 0, memory: 2 }\n"))
        .isInstanceOfSatisfying(
            ConfigException.class,
            e ->
                assertThat(e.problems())
                    .extracting(ConfigException.Problem::path)
                    .containsExactlyInAnyOrder("sweep.gap-rate", "sweep.memory"));
  }
}
