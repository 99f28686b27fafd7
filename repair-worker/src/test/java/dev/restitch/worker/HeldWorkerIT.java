package dev.restitch.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.restitch.avro.Outcome;
import dev.restitch.avro.Policy;
import dev.restitch.avro.RepairCommand;
import dev.restitch.avro.RepairOutcome;
import dev.restitch.config.RestitchConfig;
import dev.restitch.control.Directive;
import dev.restitch.control.Hold;
import dev.restitch.control.Scope;
import dev.restitch.control.Setting;
import dev.restitch.model.Verdict;
import dev.restitch.worker.command.OutcomeCounts;
import io.lettuce.core.api.sync.RedisCommands;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a worker does with commands that it may not carry out now. */
class HeldWorkerIT {

  private static TestRedis eastServer;
  private static TestRedis westServer;
  private static RestitchConfig config;
  private static RedisCommands<String, String> east;
  private static RedisCommands<String, String> west;

  private Bench bench;

  @BeforeAll
  static void startServers() {
    eastServer = new TestRedis();
    westServer = new TestRedis();
    config = Configs.of(eastServer.uri(), westServer.uri(), "jdbc:postgresql://127.0.0.1/none");
    east = eastServer.commands();
    west = westServer.commands();
  }

  @AfterAll
  static void stopServers() {
    eastServer.close();
    westServer.close();
  }

  @BeforeEach
  void start() {
    east.flushall();
    west.flushall();
    bench = new Bench(config).start();
  }

  @AfterEach
  void stop() {
    bench.close();
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "pause, -, PAUSED",
        "pause, store:west, PAUSED",
        "pause, relation:conf, PAUSED",
        "brake, store:west, BRAKED",
        "blind, node:west/h:1, BLIND",
        "dry-run, -, DRY_RUN",
        "discard, -, DISCARDED",
        "suppress, rule:conf/*, SUPPRESSED"
      })
  void shouldRefuseWhatIsHeldAndRepairWhatIsReleased(
      String setting, String scope, Hold.Reason reason) {
    tear("a");
    Setting what = Setting.of(setting).orElseThrow();
    Scope where =
        what == Setting.DISCARD
            ? Scope.incident("conf/a", copy("a").getIncident())
            : Scope.parse(scope);
    set(what, where, "on");

    RepairOutcome refused = bench.repair(copy("a"));

    assertThat(refused.getOutcome()).isEqualTo(Outcome.REFUSED);
    assertThat(refused.getHold()).isEqualTo(reason.label());
    assertThat(refused.getDetail()).isNotBlank();
    assertThat(west.get("conf:a")).isEqualTo("1:old:y");
    assertThat(bench.worker().counts().heldBy(reason)).isEqualTo(1);

    set(what, where, "off");
    RepairOutcome again = bench.repair(copy("a"));
    assertThat(again.getOutcome()).isEqualTo(Outcome.APPLIED);
    assertThat(again.getHold()).isNull();
  }

  @Test
  void shouldGoOnWhereOnlyAnotherStoreIsBraked() {
    tear("a");
    set(Setting.BRAKE, Scope.store("east"), "on");

    assertThat(bench.repair(copy("a")).getOutcome()).isEqualTo(Outcome.APPLIED);
  }

  @Test
  void shouldRefuseThoseWhoWaitForTheirTurnAtOnce() {
    set(Setting.RATE, Scope.relation("conf"), "1");
    for (int i = 0; i < 50; i++) {
      tear("w" + i);
      bench.send(copy("w" + i));
    }
    await().until(() -> !bench.outcomes().isEmpty());

    set(Setting.BRAKE, Scope.store("west"), "on");

    await().until(() -> bench.outcomes().size() == 50);
    OutcomeCounts counts = bench.worker().counts();
    assertThat(counts.of(Outcome.APPLIED)).isBetween(1L, 9L);
    assertThat(counts.heldBy(Hold.Reason.BRAKED)).isEqualTo(50 - counts.of(Outcome.APPLIED));
    for (int i = 10; i < 50; i++) {
      assertThat(west.get("conf:w" + i)).isEqualTo("1:old:y");
    }
  }

  @Test
  void shouldCountEveryCommandOnceAndShowIt() {
    SimpleMeterRegistry meters = new SimpleMeterRegistry();
    bench.worker().bind(meters);
    tear("a");
    tear("b");
    west.set("conf:b", "3:newer:z");
    tear("c");
    west.set("conf:c", "not stamped");
    bench.repair(copy("a"));
    bench.repair(copy("a"));
    bench.repair(copy("b"));
    bench.repair(copy("c"));
    bench.repair(RepairCommand.newBuilder(copy("a")).setRelation("nobody").build());
    set(Setting.PAUSE, Scope.EVERYWHERE, "on");
    bench.repair(copy("a"));
    bench.sendBytes("conf/a", new byte[] {9});
    await().until(() -> bench.letters.history().size() == 2);

    double commands = 0;
    for (String outcome :
        new String[] {"applied", "already", "superseded", "conflict", "refused", "failed"}) {
      double of =
          meters.get("restitch.worker.commands").tag("outcome", outcome).functionCounter().count();
      assertThat(of).as(outcome).isEqualTo(1);
      commands += of;
    }
    OutcomeCounts counts = bench.worker().counts();
    assertThat(commands).isEqualTo(counts.commands());
    assertThat(counts.received())
        .isEqualTo(counts.poisoned() + counts.handedOver() + counts.commands());
    assertThat(counts.received()).isEqualTo(7);
    assertThat(meters.get("restitch.worker.held").tag("reason", "paused").functionCounter().count())
        .isEqualTo(1);
  }

  private void set(Setting setting, Scope scope, String value) {
    bench.controls.put(new Directive(setting, scope, value, "ann", "a test", 0).validated());
    bench.worker().controlsChanged();
  }

  private static void tear(String name) {
    east.set("conf:" + name, "2:new:x");
    west.set("conf:" + name, "1:old:y");
  }

  private static RepairCommand copy(String name) {
    return Commands.of("conf/" + name, Policy.ACCEPT_NEWEST, Verdict.TORN_MISSING)
        .torn(2, "new")
        .stamped("east", "conf:" + name, 2L, "new")
        .stamped("west", "conf:" + name, 1L, "old")
        .behind("west", "conf:" + name)
        .build();
  }
}
