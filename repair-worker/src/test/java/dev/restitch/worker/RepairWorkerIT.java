package dev.restitch.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.restitch.avro.Done;
import dev.restitch.avro.Intent;
import dev.restitch.avro.Outcome;
import dev.restitch.avro.Policy;
import dev.restitch.avro.RepairCommand;
import dev.restitch.avro.RepairOutcome;
import dev.restitch.avro.Write;
import dev.restitch.avro.WriteOp;
import dev.restitch.config.RestitchConfig;
import dev.restitch.kafka.HeaderNames;
import dev.restitch.model.Bytes;
import dev.restitch.model.Verdict;
import dev.restitch.worker.truth.Truth;
import dev.restitch.worker.truth.TruthException;
import dev.restitch.worker.truth.TruthUnavailableException;
import dev.restitch.writer.Digests;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.sync.RedisCommands;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RepairWorkerIT {

  private static TestRedis eastServer;
  private static TestRedis westServer;
  private static RestitchConfig config;
  private static RedisCommands<String, String> east;
  private static RedisCommands<String, String> west;

  private final AtomicReference<Truth> users = new AtomicReference<>(truth("P", "S"));
  private final AtomicInteger failures = new AtomicInteger();
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
    bench = new Bench(config);
    bench.truth.put(
        "users-db",
        (relation, instance) ->
            failures.getAndDecrement() > 0
                ? CompletableFuture.failedStage(new TruthUnavailableException("away", null))
                : CompletableFuture.completedStage(users.get()));
    bench.truth.put("pay-db", bench.truth.get("users-db"));
    bench.truth.put("docs-db", bench.truth.get("users-db"));
    bench.start();
  }

  @AfterEach
  void stop() {
    bench.close();
  }

  // accept-newest

  @Test
  void shouldCopyTheNewerSideOverTheOlderAndKeepItsTimeToLive() {
    east.set("conf:a", "2:new:x");
    west.set("conf:a", "1:old:y", SetArgs.Builder.px(60_000));

    RepairOutcome outcome = bench.repair(copy("a").build());

    assertThat(outcome.getOutcome()).isEqualTo(Outcome.APPLIED);
    assertThat(outcome.getVersion()).isEqualTo(2);
    assertThat(outcome.getToken()).isEqualTo(Bytes.utf8("new").toBuffer());
    assertThat(west.get("conf:a")).isEqualTo("2:new:x");
    assertThat(west.pttl("conf:a")).isBetween(50_000L, 60_000L);
  }

  @Test
  void shouldGiveAnAbsentSideTheTimeToLiveOfItsSource() {
    east.set("conf:a", "2:new:x", SetArgs.Builder.px(60_000));

    RepairOutcome outcome = bench.repair(fill("a").build());

    assertThat(outcome.getOutcome()).isEqualTo(Outcome.APPLIED);
    assertThat(west.get("conf:a")).isEqualTo("2:new:x");
    assertThat(west.pttl("conf:a")).isBetween(50_000L, 60_000L);
  }

  @Test
  void shouldChangeNothingWhenDeliveredTwice() {
    east.set("conf:a", "2:new:x");
    west.set("conf:a", "1:old:y");
    RepairCommand command = copy("a").build();

    assertThat(bench.repair(command).getOutcome()).isEqualTo(Outcome.APPLIED);
    assertThat(bench.repair(command).getOutcome()).isEqualTo(Outcome.ALREADY);
    assertThat(west.get("conf:a")).isEqualTo("2:new:x");
  }

  @Test
  void shouldNotRepairOverANewerWrite() {
    east.set("conf:a", "2:new:x");
    west.set("conf:a", "3:newer:z");

    RepairOutcome outcome = bench.repair(copy("a").build());

    assertThat(outcome.getOutcome()).isEqualTo(Outcome.SUPERSEDED);
    assertThat(outcome.getDetail()).contains("west/conf:a").contains("3:newer");
    assertThat(west.get("conf:a")).isEqualTo("3:newer:z");
  }

  @Test
  void shouldConflictOverAnythingElseThanWasExpected() {
    east.set("conf:a", "2:new:x");
    for (String other : List.of("1:another:y", "not stamped", "2:twin:y")) {
      west.set("conf:a", other);

      assertThat(bench.repair(copy("a").build()).getOutcome()).isEqualTo(Outcome.CONFLICT);
      assertThat(west.get("conf:a")).isEqualTo(other);
    }
    west.del("conf:a");

    assertThat(bench.repair(copy("a").build()).getOutcome()).isEqualTo(Outcome.CONFLICT);
    assertThat(west.exists("conf:a")).isZero();
  }

  @Test
  void shouldNotCopyFromASourceThatHasMoved() {
    west.set("conf:a", "1:old:y");
    east.set("conf:a", "3:newer:z");
    assertThat(bench.repair(copy("a").build()).getOutcome()).isEqualTo(Outcome.SUPERSEDED);

    east.del("conf:a");
    assertThat(bench.repair(copy("a").build()).getOutcome()).isEqualTo(Outcome.CONFLICT);
    assertThat(west.get("conf:a")).isEqualTo("1:old:y");
  }

  @Test
  void shouldNeverBringBackASideThatIsGone() {
    east.set("conf:a", "2:new:x");

    for (Verdict gone : List.of(Verdict.SIDE_DELETED, Verdict.SIDE_EXPIRED, Verdict.SIDE_EVICTED)) {
      RepairCommand command = fill("a").builder().setVerdict(gone.name()).build();
      assertThat(bench.repair(command).getOutcome()).isEqualTo(Outcome.FAILED);
    }

    assertThat(west.exists("conf:a")).isZero();
    await().until(() -> bench.letters.history().size() == 3);
  }

  @Test
  void shouldNeverOverwriteANewerWriteThatRacesWithIt() throws Exception {
    int instances = 400;
    for (int i = 0; i < instances; i++) {
      east.set("conf:r" + i, "2:new:x");
      west.set("conf:r" + i, "1:old:y");
    }
    Thread writer =
        new Thread(
            () -> {
              Random random = new Random(1);
              await().until(() -> !bench.outcomes().isEmpty());
              for (int i = instances - 1; i >= 0; i--) {
                west.set("conf:r" + i, "3:newer" + random.nextInt() + ":z");
              }
            });
    writer.start();
    for (int i = 0; i < instances; i++) {
      bench.send(copy("r" + i).build());
    }
    writer.join();
    await().until(() -> bench.outcomes().size() == instances);

    for (int i = 0; i < instances; i++) {
      assertThat(west.get("conf:r" + i)).startsWith("3:newer");
    }
    assertThat(bench.outcomes())
        .extracting(RepairOutcome::getOutcome)
        .isSubsetOf(Outcome.APPLIED, Outcome.SUPERSEDED)
        .contains(Outcome.APPLIED);
  }

  @Test
  void shouldGoOnAfterTheScriptsAreFlushed() {
    shouldCopyTheNewerSideOverTheOlderAndKeepItsTimeToLive();
    west.scriptFlush();
    east.set("conf:b", "2:new:x");
    west.set("conf:b", "1:old:y");

    assertThat(bench.repair(copy("b").build()).getOutcome()).isEqualTo(Outcome.APPLIED);
  }

  // source-of-truth

  @Test
  void shouldRewriteEverySideFromTheTruthWithAFreshTokenAndItsIntentFirst() {
    east.set("user:1:version", "7");
    east.set("user:1:profile", "7:new:old profile", SetArgs.Builder.px(60_000));
    west.set("user:1:settings", "6:old:old settings");
    RepairCommand command = tornUser("1").build();

    RepairOutcome outcome = bench.repair(command);

    assertThat(outcome.getOutcome()).isEqualTo(Outcome.APPLIED);
    String token = text(outcome.getToken());
    assertThat(token).matches("[0-9a-f]{32}").isNotIn("new", "old");
    assertThat(outcome.getVersion()).isEqualTo(8);
    assertThat(east.get("user:1:profile")).isEqualTo("8:" + token + ":P");
    assertThat(west.get("user:1:settings")).isEqualTo("8:" + token + ":S");
    assertThat(east.pttl("user:1:profile")).isBetween(50_000L, 60_000L);
    assertThat(east.get("user:1:version")).isEqualTo("8");
    Intent intent = bench.intentsSent().get(0);
    assertThat(intent.getVersion()).isEqualTo(8);
    assertThat(text(intent.getToken())).isEqualTo(token);
    assertThat(intent.getWrites()).extracting(Write::getOp).containsOnly(WriteOp.PUT);
    assertThat(intent.getWrites().get(0).getDigest())
        .isEqualTo(Digests.sha256(new byte[] {'P'}).toBuffer());
    assertThat(intent.getWriter().getApplication()).isEqualTo("restitch-repair-worker");
    await().until(() -> bench.records(Done.class).size() == 1);
  }

  @Test
  void shouldWriteNothingBeforeKafkaHasTheIntent() {
    bench.close();
    bench = new Bench(config);
    bench.truth.put("users-db", (r, i) -> CompletableFuture.completedStage(truth("P", "S")));
    bench.produced.sendException = new org.apache.kafka.common.errors.TimeoutException("away");
    bench.start();
    east.set("user:1:profile", "7:new:x");

    bench.send(tornUserAbsent("1").build());

    await().until(() -> bench.worker().counts().retries() >= 2);
    assertThat(east.get("user:1:profile")).isEqualTo("7:new:x");
    assertThat(west.exists("user:1:settings")).isZero();
    bench.produced.sendException = null;
    await().until(() -> bench.outcomes().size() == 1);
    assertThat(bench.outcomes().get(0).getOutcome()).isEqualTo(Outcome.APPLIED);
    assertThat(west.get("user:1:settings")).endsWith(":S");
  }

  @Test
  void shouldMintAboveEveryVersionSeenThoughTheCounterWasRolledBack() {
    east.set("user:1:version", "3");
    east.set("user:1:profile", "9007199254740993:new:x");
    west.set("user:1:settings", "6:old:x");

    RepairCommand command =
        Commands.of("user/1", Policy.SOURCE_OF_TRUTH, Verdict.TORN_MISSING)
            .torn(9007199254740993L, "new")
            .stamped("east", "user:1:profile", 9007199254740993L, "new")
            .stamped("west", "user:1:settings", 6L, "old")
            .build();

    assertThat(bench.repair(command).getVersion()).isEqualTo(9007199254740994L);
    assertThat(east.get("user:1:version")).isEqualTo("9007199254740994");
  }

  @Test
  void shouldGiveAnAbsentSideItsSiblingsTimeToLive() {
    east.set("user:1:profile", "7:new:x", SetArgs.Builder.px(60_000));

    bench.repair(tornUserAbsent("1").build());

    assertThat(west.get("user:1:settings")).endsWith(":S");
    assertThat(west.pttl("user:1:settings")).isBetween(50_000L, 60_000L);
  }

  @Test
  void shouldNeitherMintNorSendAnIntentWhereSomethingElseStands() {
    east.set("user:1:version", "9");
    east.set("user:1:profile", "9:newer:x");
    west.set("user:1:settings", "6:old:x");
    assertThat(bench.repair(tornUser("1").build()).getOutcome()).isEqualTo(Outcome.SUPERSEDED);

    east.set("user:1:profile", "5:older:x");
    assertThat(bench.repair(tornUser("1").build()).getOutcome()).isEqualTo(Outcome.CONFLICT);

    assertThat(bench.intentsSent()).isEmpty();
    assertThat(east.get("user:1:version")).isEqualTo("9");
    assertThat(west.get("user:1:settings")).isEqualTo("6:old:x");
  }

  @Test
  void shouldFinishAHalfDoneRewriteWithItsOwnTokenAndVersion() {
    east.set("user:1:profile", "7:new:x");
    west.set("user:1:settings", "6:old:x");
    RepairCommand command = tornUser("1").build();
    RepairOutcome first = bench.repair(command);
    west.set("user:1:settings", "6:old:x");

    RepairOutcome second = bench.repair(command);

    assertThat(second.getOutcome()).isEqualTo(Outcome.APPLIED);
    assertThat(second.getVersion()).isEqualTo(first.getVersion());
    assertThat(second.getToken()).isEqualTo(first.getToken());
    assertThat(west.get("user:1:settings"))
        .isEqualTo(first.getVersion() + ":" + text(first.getToken()) + ":S");
    assertThat(bench.intentsSent()).hasSize(1);
  }

  @Test
  void shouldChangeNothingWhenARewriteIsDeliveredTwice() {
    east.set("user:1:profile", "7:new:x");
    west.set("user:1:settings", "6:old:x");
    RepairCommand command = tornUser("1").build();
    RepairOutcome first = bench.repair(command);

    RepairOutcome second = bench.repair(command);

    assertThat(second.getOutcome()).isEqualTo(Outcome.ALREADY);
    assertThat(second.getVersion()).isEqualTo(first.getVersion());
    assertThat(bench.intentsSent()).hasSize(1);
    assertThat(east.get("user:1:profile"))
        .isEqualTo(first.getVersion() + ":" + text(first.getToken()) + ":P");
  }

  @Test
  void shouldBeginANewGenerationWhereAHalfDoneRewriteIsNoLongerTrue() {
    east.set("user:1:profile", "7:new:x");
    west.set("user:1:settings", "6:old:x");
    RepairCommand command = tornUser("1").build();
    RepairOutcome first = bench.repair(command);
    west.set("user:1:settings", "6:old:x");
    users.set(truth("P2", "S2"));

    RepairOutcome second = bench.repair(command);

    assertThat(second.getOutcome()).isEqualTo(Outcome.APPLIED);
    assertThat(second.getVersion()).isGreaterThan(first.getVersion());
    assertThat(second.getToken()).isNotEqualTo(first.getToken());
    assertThat(east.get("user:1:profile")).endsWith(":P2");
    assertThat(west.get("user:1:settings")).endsWith(":S2");
  }

  @Test
  void shouldRewriteAgainWhenTheTruthHasChangedOneSettleTimeLater() {
    east.set("user:1:profile", "7:new:x");
    west.set("user:1:settings", "6:old:x");
    RepairOutcome outcome = bench.repair(tornUser("1").build());
    long committedBefore = bench.committed();
    users.set(truth("P2", "S2"));

    await().untilAsserted(() -> assertThat(west.get("user:1:settings")).endsWith(":S2"));
    await().untilAsserted(() -> assertThat(east.get("user:1:profile")).endsWith(":P2"));

    assertThat(committedBefore).isZero();
    assertThat(bench.intentsSent()).hasSize(2);
    assertThat(bench.intentsSent().get(1).getVersion()).isGreaterThan(outcome.getVersion());
    assertThat(east.get("user:1:profile"))
        .startsWith(bench.intentsSent().get(1).getVersion() + ":");
    assertThat(bench.outcomes()).hasSize(1);
    await().until(() -> bench.committed() == 1);
    assertThat(bench.worker().counts().secondLooks()).isEqualTo(2);
  }

  @Test
  void shouldStopAfterTheCapOfGenerations() {
    AtomicInteger changes = new AtomicInteger();
    bench.close();
    bench = new Bench(config);
    bench.truth.put(
        "users-db",
        (r, i) -> CompletableFuture.completedStage(truth("P" + changes.incrementAndGet(), "S")));
    bench.start();
    east.set("user:1:profile", "7:new:x");
    west.set("user:1:settings", "6:old:x");

    bench.send(tornUser("1").build());

    await().until(() -> bench.outcomes().size() == 2);
    assertThat(bench.outcomes())
        .extracting(RepairOutcome::getOutcome)
        .containsExactly(Outcome.APPLIED, Outcome.FAILED);
    assertThat(bench.outcomes().get(1).getDetail()).contains("3 rewrites within an hour");
    assertThat(bench.intentsSent()).hasSize(3);
    await().until(() -> bench.committed() == 1);
  }

  @Test
  void shouldNotOverwriteAWriterThatCameBetweenTwoGenerations() {
    east.set("user:1:profile", "7:new:x");
    west.set("user:1:settings", "6:old:x");
    bench.repair(tornUser("1").build());
    users.set(truth("P2", "S2"));
    east.set("user:1:profile", "900:writer:P2");
    west.set("user:1:settings", "900:writer:S2");

    await().until(() -> bench.committed() == 1);

    assertThat(east.get("user:1:profile")).isEqualTo("900:writer:P2");
    assertThat(bench.intentsSent()).hasSize(1);
  }

  @Test
  void shouldRewriteValuesWithoutATokenByLengthAndDigest() {
    east.set("doc:1:body", "4:one");
    west.set("doc:1:index", "3:two");
    east.set("doc:1:version", "4");

    RepairOutcome outcome = bench.repair(tornDoc().build());

    assertThat(outcome.getOutcome()).isEqualTo(Outcome.APPLIED);
    assertThat(east.get("doc:1:body")).isEqualTo("5:P");
    assertThat(west.get("doc:1:index")).isEqualTo("5:S");
    users.set(truth("P2", "S2"));
    await().untilAsserted(() -> assertThat(east.get("doc:1:body")).isEqualTo("6:P2"));
    await().untilAsserted(() -> assertThat(west.get("doc:1:index")).isEqualTo("6:S2"));
  }

  @Test
  void shouldNotOverwriteAnotherValueOfTheSameVersionAndLength() {
    east.set("doc:1:body", "4:one");
    west.set("doc:1:index", "3:owt");
    east.set("doc:1:version", "4");

    RepairOutcome outcome = bench.repair(tornDoc().build());

    assertThat(outcome.getOutcome()).isEqualTo(Outcome.CONFLICT);
    assertThat(west.get("doc:1:index")).isEqualTo("3:owt");
  }

  @Test
  void shouldRefuseWhatIsTooLargeToCompare() {
    east.set("doc:1:body", "4:one");
    west.set("doc:1:index", "3:two");
    RepairCommand command =
        Commands.of("doc/1", Policy.SOURCE_OF_TRUTH, Verdict.TORN_MISSING)
            .torn(4, "")
            .exact("east", "doc:1:body", 4, "4:one", "one")
            .stamped("west", "doc:1:index", 3L, null)
            .build();

    RepairOutcome outcome = bench.repair(command);

    assertThat(outcome.getOutcome()).isEqualTo(Outcome.REFUSED);
    assertThat(outcome.getDetail()).contains("too large");
    assertThat(east.get("doc:1:body")).isEqualTo("4:one");
  }

  @Test
  void shouldTryAgainWhenTheTruthIsAwayForAWhile() {
    failures.set(2);
    east.set("user:1:profile", "7:new:x");

    RepairOutcome outcome = bench.repair(tornUserAbsent("1").build());

    assertThat(outcome.getOutcome()).isEqualTo(Outcome.APPLIED);
    assertThat(bench.worker().counts().truthFailures()).isEqualTo(2);
  }

  @Test
  void shouldSayWhyWhenTheTruthStaysAwayPastNotAfter() {
    failures.set(Integer.MAX_VALUE);
    east.set("user:1:profile", "7:new:x");
    RepairCommand command =
        tornUserAbsent("1").builder().setNotAfterMillis(System.currentTimeMillis() + 700).build();

    RepairOutcome outcome = bench.repair(command);

    assertThat(outcome.getOutcome()).isEqualTo(Outcome.REFUSED);
    assertThat(outcome.getDetail()).contains("not-after").contains("away");
    assertThat(bench.intentsSent()).isEmpty();
  }

  @Test
  void shouldFailWhenTheTruthHasNoRow() {
    bench.close();
    bench = new Bench(config);
    bench.truth.put(
        "users-db",
        (r, i) -> CompletableFuture.failedStage(new TruthException("no row for side profile")));
    bench.start();
    east.set("user:1:profile", "7:new:x");

    RepairOutcome outcome = bench.repair(tornUserAbsent("1").build());

    assertThat(outcome.getOutcome()).isEqualTo(Outcome.FAILED);
    assertThat(outcome.getDetail()).isEqualTo("no row for side profile");
    assertThat(east.get("user:1:profile")).isEqualTo("7:new:x");
  }

  @Test
  void shouldRewriteAForeignValueOnlyWhereTheRelationNamesTheVerdict() {
    east.set("user:1:profile", "7:new:x");
    west.set("user:1:settings", "no stamp");
    RepairCommand command =
        Commands.of("user/1", Policy.SOURCE_OF_TRUTH, Verdict.FOREIGN_WRITE)
            .torn(7, "new")
            .stamped("east", "user:1:profile", 7L, "new")
            .unstamped("west", "user:1:settings", "no stamp")
            .build();
    assertThat(bench.repair(command).getOutcome()).isEqualTo(Outcome.FAILED);

    RepairCommand torn =
        RepairCommand.newBuilder(command)
            .setId("other")
            .setVerdict(Verdict.COLLISION.name())
            .build();
    assertThat(bench.repair(torn).getOutcome()).isEqualTo(Outcome.APPLIED);
    assertThat(west.get("user:1:settings")).endsWith(":S");
  }

  @Test
  void shouldMarkWhatItRewroteWhereTheRelationHasAMarker() {
    east.set("pay:1:debit", "7:new:x");
    RepairCommand command =
        Commands.of("pay/1", Policy.SOURCE_OF_TRUTH, Verdict.UNCOMMITTED)
            .torn(7, "new")
            .stamped("east", "pay:1:debit", 7L, "new")
            .absent("west", "pay:1:credit")
            .build();

    RepairOutcome outcome = bench.repair(command);

    String marker = "txn:" + text(outcome.getToken()) + ":committed";
    assertThat(outcome.getOutcome()).isEqualTo(Outcome.APPLIED);
    assertThat(east.get(marker)).isEqualTo("1");
    assertThat(east.pttl(marker)).isBetween(3_500_000L, 3_600_000L);
    assertThat(bench.intentsSent().get(0).getMarker().getKey())
        .isEqualTo(Bytes.utf8(marker).toBuffer());
  }

  // mark

  @Test
  void shouldWriteTheMarkerOfWhatIsStillCarried() {
    east.set("pay:1:debit", "7:new:x");

    RepairOutcome outcome = bench.repair(mark().build());

    assertThat(outcome.getOutcome()).isEqualTo(Outcome.APPLIED);
    assertThat(east.get("txn:new:committed")).isEqualTo("1");
    assertThat(east.pttl("txn:new:committed")).isBetween(3_500_000L, 3_600_000L);
    assertThat(bench.repair(mark().build()).getOutcome()).isEqualTo(Outcome.ALREADY);
  }

  @Test
  void shouldNotMarkWhatNoSideCarriesAnyMore() {
    east.set("pay:1:debit", "8:newer:x");

    assertThat(bench.repair(mark().build()).getOutcome()).isEqualTo(Outcome.SUPERSEDED);
    assertThat(east.exists("txn:new:committed")).isZero();
  }

  @Test
  void shouldNotMarkAgainstAnothersDecision() {
    east.set("pay:1:debit", "7:new:x");
    east.set("txn:new:committed", "0");

    assertThat(bench.repair(mark().build()).getOutcome()).isEqualTo(Outcome.CONFLICT);
    assertThat(east.get("txn:new:committed")).isEqualTo("0");
  }

  // roll-forward

  @Test
  void shouldFinishATransactionFromItsIntent() {
    east.set("conf:a", "2:new:x");
    west.set("conf:a", "1:old:y", SetArgs.Builder.px(60_000));
    bench.intents = (partition, offset) -> CompletableFuture.completedStage(intentOf("z", "z"));

    RepairOutcome outcome = bench.repair(rollForward("a"));

    assertThat(outcome.getOutcome()).isEqualTo(Outcome.APPLIED);
    assertThat(west.get("conf:a")).isEqualTo("2:new:z");
    assertThat(west.pttl("conf:a")).isBetween(50_000L, 60_000L);
  }

  @Test
  void shouldNotRollForwardWithoutThePayloadItself() {
    east.set("conf:a", "2:new:x");
    west.set("conf:a", "1:old:y");
    bench.intents = (partition, offset) -> CompletableFuture.completedStage(intentOf(null, "z"));
    assertThat(bench.repair(rollForward("a")).getDetail()).contains("does not carry the payload");

    bench.intents = (partition, offset) -> CompletableFuture.completedStage(intentOf("z", "other"));
    assertThat(bench.repair(rollForward("a")).getDetail()).contains("not what its digest says");
    assertThat(west.get("conf:a")).isEqualTo("1:old:y");
  }

  // commands

  @Test
  void shouldRefuseACommandPastItsNotAfter() {
    east.set("conf:a", "2:new:x");
    west.set("conf:a", "1:old:y");
    RepairCommand command =
        copy("a").builder().setNotAfterMillis(System.currentTimeMillis() - 1).build();

    RepairOutcome outcome = bench.repair(command);

    assertThat(outcome.getOutcome()).isEqualTo(Outcome.REFUSED);
    assertThat(outcome.getDetail()).contains("not-after");
    assertThat(west.get("conf:a")).isEqualTo("1:old:y");
  }

  @Test
  void shouldRefuseAnOlderAttemptOfAnIncident() {
    east.set("conf:a", "2:new:x");
    west.set("conf:a", "3:newer:y");
    bench.repair(copy("a").builder().setAttempt(5).build());
    west.set("conf:a", "1:old:y");

    RepairOutcome outcome = bench.repair(copy("a").builder().setAttempt(4).build());

    assertThat(outcome.getOutcome()).isEqualTo(Outcome.REFUSED);
    assertThat(west.get("conf:a")).isEqualTo("1:old:y");
    assertThat(bench.repair(copy("a").builder().setAttempt(5).build()).getOutcome())
        .isEqualTo(Outcome.APPLIED);
  }

  @Test
  void shouldPutPoisonAsideAndGoOn() {
    east.set("conf:a", "2:new:x");
    west.set("conf:a", "1:old:y");
    bench.sendBytes("conf/a", "poison".getBytes(StandardCharsets.UTF_8));
    bench.sendRecord("conf/a", bench.intentsSent().isEmpty() ? intentOf("a", "a") : null);
    bench.sendBytes("conf/a", null);

    assertThat(bench.repair(copy("a").build()).getOutcome()).isEqualTo(Outcome.APPLIED);

    await().until(() -> bench.letters.history().size() == 3);
    assertThat(bench.letters.history().get(0).headers().lastHeader(HeaderNames.ERROR_CLASS))
        .isNotNull();
    await().until(() -> bench.committed() == 4);
    assertThat(bench.worker().counts().poisoned()).isEqualTo(3);
  }

  @Test
  void shouldFailWhatItCannotMakeSenseOfAndPutItAside() {
    east.set("conf:a", "2:new:x");
    west.set("conf:a", "1:old:y");
    List<RepairCommand> senseless =
        List.of(
            copy("a").builder().setPolicy(Policy.UNKNOWN).build(),
            copy("a").builder().setRelation("nobody").build(),
            copy("a").builder().setVerdict("OF_TOMORROW").build(),
            copy("a").builder().setPolicy(Policy.SOURCE_OF_TRUTH).build(),
            copy("a").behind("west", "user:1:settings").build(),
            copy("a").builder().setInstance("conf/a/b").build());

    for (RepairCommand command : senseless) {
      assertThat(bench.repair(command).getOutcome()).isEqualTo(Outcome.FAILED);
    }

    await().until(() -> bench.letters.history().size() == senseless.size());
    assertThat(west.get("conf:a")).isEqualTo("1:old:y");
    assertThat(bench.repair(copy("a").build()).getOutcome()).isEqualTo(Outcome.APPLIED);
    assertThat(bench.worker().counts().received()).isEqualTo(senseless.size() + 1);
    assertThat(bench.worker().counts().of(Outcome.FAILED)).isEqualTo(senseless.size());
  }

  private static Commands copy(String name) {
    return Commands.of("conf/" + name, Policy.ACCEPT_NEWEST, Verdict.TORN_MISSING)
        .torn(2, "new")
        .stamped("east", "conf:" + name, 2L, "new")
        .stamped("west", "conf:" + name, 1L, "old")
        .behind("west", "conf:" + name);
  }

  private static Commands fill(String name) {
    return Commands.of("conf/" + name, Policy.ACCEPT_NEWEST, Verdict.TORN_MISSING)
        .torn(2, "new")
        .stamped("east", "conf:" + name, 2L, "new")
        .absent("west", "conf:" + name)
        .behind("west", "conf:" + name);
  }

  private static Commands tornUser(String id) {
    return Commands.of("user/" + id, Policy.SOURCE_OF_TRUTH, Verdict.TORN_MISSING)
        .torn(7, "new")
        .stamped("east", "user:" + id + ":profile", 7L, "new")
        .stamped("west", "user:" + id + ":settings", 6L, "old")
        .behind("west", "user:" + id + ":settings");
  }

  private static Commands tornUserAbsent(String id) {
    return Commands.of("user/" + id, Policy.SOURCE_OF_TRUTH, Verdict.TORN_MISSING)
        .torn(7, "new")
        .stamped("east", "user:" + id + ":profile", 7L, "new")
        .absent("west", "user:" + id + ":settings")
        .behind("west", "user:" + id + ":settings");
  }

  private static Commands tornDoc() {
    return Commands.of("doc/1", Policy.SOURCE_OF_TRUTH, Verdict.TORN_MISSING)
        .torn(4, "")
        .exact("east", "doc:1:body", 4, "4:one", "one")
        .exact("west", "doc:1:index", 3, "3:two", "two");
  }

  private static Commands mark() {
    return Commands.of("pay/1", Policy.MARK, Verdict.MARKER_MISSING)
        .torn(7, "new")
        .stamped("east", "pay:1:debit", 7L, "new")
        .stamped("west", "pay:1:credit", 7L, "new")
        .behind("east", "txn:new:committed");
  }

  private static RepairCommand rollForward(String name) {
    return copy(name)
        .builder()
        .setPolicy(Policy.ROLL_FORWARD)
        .setIntentPartition(0)
        .setIntentOffset(1L)
        .build();
  }

  private static Intent intentOf(String payload, String digestOf) {
    return Intent.newBuilder()
        .setToken(Bytes.utf8("new").toBuffer())
        .setVersion(2L)
        .setWrites(
            List.of(
                Write.newBuilder()
                    .setStore("west")
                    .setKey(Bytes.utf8("conf:a").toBuffer())
                    .setOp(WriteOp.PUT)
                    .setPayload(payload == null ? null : Bytes.utf8(payload).toBuffer())
                    .setDigest(Digests.sha256(Bytes.utf8(digestOf).toArray()).toBuffer())
                    .build()))
        .setCreatedAtMillis(1)
        .build();
  }

  private static Truth truth(String... payloads) {
    return Truth.of(java.util.Arrays.stream(payloads).map(Bytes::utf8).toArray(Bytes[]::new));
  }

  private static String text(java.nio.ByteBuffer bytes) {
    return Bytes.copyOf(bytes).toString();
  }
}
