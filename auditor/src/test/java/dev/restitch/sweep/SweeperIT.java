package dev.restitch.sweep;

import static dev.restitch.read.TestRedis.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.restitch.avro.EvidenceSource;
import dev.restitch.avro.KeyState;
import dev.restitch.avro.Reading;
import dev.restitch.avro.Snapshot;
import dev.restitch.avro.Sweep;
import dev.restitch.model.Bytes;
import dev.restitch.read.TestRedis;
import dev.restitch.read.TestStores;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SweeperIT {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private static TestRedis east;
  private static TestRedis west;
  private SweepRig rig;

  @BeforeAll
  static void openServers() {
    east = TestRedis.silent();
    west = TestRedis.silent();
  }

  @AfterAll
  static void closeServers() {
    east.close();
    west.close();
  }

  @BeforeEach
  void empty() {
    east.commands().flushall();
    west.commands().flushall();
  }

  @AfterEach
  void close() {
    if (rig != null) {
      rig.close();
    }
  }

  private void open(String sweep) {
    rig = new SweepRig(TestStores.one(east), TestStores.one(west), sweep);
  }

  private static void user(Object id, String profile, String settings) {
    put(east, "user:" + id + ":profile", profile);
    put(west, "user:" + id + ":settings", settings);
  }

  private static void some(Object id, String left, String right) {
    put(east, "some:" + id + ":left", left);
    put(west, "some:" + id + ":right", right);
  }

  private static void put(TestRedis redis, String key, String value) {
    if (value != null) {
      redis.set(key, value);
    }
  }

  private void sweepGaps() {
    rig.gapEverywhere();
    await().atMost(PATIENCE).until(rig::swept);
  }

  private SweepCounters balanced() {
    SweepCounters counted = rig.sweeper().counters();
    assertThat(counted.pending()).as(counted.toString()).isZero();
    return counted;
  }

  @Test
  void shouldPublishOnlyInstancesWhoseSidesDisagreeAreMissingOrUnstamped() {
    for (int i = 0; i < 2_000; i++) {
      user(i, i + ":t" + i + ":x", i + ":t" + i + ":y");
    }
    user("torn", "7:t7:x", "6:t6:y");
    user("no-first", null, "7:t7:y");
    user("no-second", "7:t7:x", null);
    user("foreign", "7:t7:x", "unstamped");
    user("empty", "7:t7:x", "");
    user("legacy", "old", "older");
    user("half-legacy", "old", null);
    east.commands().rpush(bytes("user:wrong-type:profile"), bytes("1:t:x"));
    west.set("user:wrong-type:settings", "1:t:x");
    for (int i = 0; i < 100; i++) {
      east.set("undeclared:" + i, "x");
      east.set("loose:" + i, "1:t:x");
    }
    open(SweepRig.GAPS_ONLY);
    rig.start();
    sweepGaps();

    assertThat(rig.suspects())
        .containsExactlyInAnyOrder(
            "user/torn",
            "user/no-first",
            "user/no-second",
            "user/foreign",
            "user/empty",
            "user/wrong-type");
    SweepCounters counted = balanced();
    assertThat(counted.of(Fate.WHOLE)).isBetween(2_000L, 4_000L);
    assertThat(counted.of(Fate.LEGACY)).isBetween(2L, 4L);
    assertThat(counted.of(Fate.UNDECLARED)).isEqualTo(100);
    assertThat(counted.of(Fate.SINGLE)).isEqualTo(100);
    assertThat(counted.of(Fate.PUBLISHED)).isBetween(6L, 12L);
    assertThat(counted.of(Fate.UNREADABLE)).isZero();
    assertThat(counted.scanned()).isEqualTo(east.commands().dbsize() + west.commands().dbsize());
  }

  @Test
  void shouldPublishWhatTheSidesCarryAndThatNobodyAsked() {
    user("torn", "7:t7:x", "6:t6:y");
    open(SweepRig.GAPS_ONLY);
    rig.start();
    sweepGaps();

    Snapshot told = rig.snapshots().get(0);
    assertThat(told.getSource()).isEqualTo(EvidenceSource.SWEEP);
    assertThat(told.getSeq()).isNull();
    assertThat(told.getStable()).isFalse();
    assertThat(told.getSides()).extracting(Reading::getVersion).containsExactly(7L, 6L);
    assertThat(told.getSides()).allMatch(side -> side.getPrimary() != null);
    assertThat(rig.producer.keys("restitch-snapshots")).containsOnly("user/torn");
  }

  @Test
  void shouldReadKeysOfAnyBytes() {
    byte[] key = new byte[256];
    for (int i = 0; i < key.length; i++) {
      key[i] = (byte) (i == ':' ? 'x' : i);
    }
    Bytes id = Bytes.copyOf(key);
    Bytes profile = Bytes.concat(List.of(Bytes.utf8("user:"), id, Bytes.utf8(":profile")));
    Bytes settings = Bytes.concat(List.of(Bytes.utf8("user:"), id, Bytes.utf8(":settings")));
    east.commands().set(profile.toArray(), new byte[] {'7', ':', (byte) 0xff, 0, ':', 'x'});
    west.commands().set(settings.toArray(), new byte[] {'7', ':', (byte) 0xfe, 0, ':', 'x'});
    open(SweepRig.GAPS_ONLY);
    rig.start();
    sweepGaps();

    assertThat(rig.suspects()).hasSize(1);
    assertThat(Bytes.copyOf(rig.snapshots().get(0).getSides().get(1).getKey())).isEqualTo(settings);
  }

  @Test
  void shouldNotReadLargeValuesWhole() {
    int last = 512 * 1024 * 1024 - 1;
    user("big", "7:t7:x", "7:t7:y");
    east.commands().setrange(bytes("user:big:profile"), last, bytes("z"));
    user("foreign", "7:t7:x", "unstamped");
    west.commands().setrange(bytes("user:foreign:settings"), last, bytes("z"));
    open(SweepRig.GAPS_ONLY);
    rig.start();
    sweepGaps();

    assertThat(rig.suspects()).containsExactly("user/foreign");
    for (TestRedis redis : List.of(east, west)) {
      assertThat(sent(redis)).isLessThan(1 << 20);
    }
  }

  private static long sent(TestRedis redis) {
    return redis
        .commands()
        .info("stats")
        .lines()
        .filter(line -> line.startsWith("total_net_output_bytes:"))
        .mapToLong(line -> Long.parseLong(line.split(":")[1].trim()))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void shouldCompareHashesAndAnInstanceOfThreeSidesOnce() {
    for (int i = 0; i < 50; i++) {
      trio(i, "1", i == 7 ? "0" : "1");
    }
    open(SweepRig.GAPS_ONLY);
    rig.start();
    sweepGaps();

    assertThat(rig.suspects()).containsExactly("trio/7");
    SweepCounters counted = balanced();
    assertThat(counted.scanned()).isEqualTo(150);
    // two nodes sweep at once, and each compares an instance again that it was told of later
    assertThat(counted.compared()).isBetween(50L, 100L);
    assertThat(counted.of(Fate.REPEATED)).isGreaterThanOrEqualTo(50);
  }

  private static void trio(int id, String version, String last) {
    west.set("trio:" + id + ":1", version + ":t:x");
    east.set("trio:" + id + ":2", version + ":t:x");
    east.commands().hset(bytes("trio:" + id + ":3"), bytes("v"), bytes(last));
    east.commands().hset(bytes("trio:" + id + ":3"), bytes("t"), bytes("t"));
  }

  @Test
  void shouldCompareLogsByTheirTokens() {
    for (String id : List.of("whole", "hole", "long")) {
      int entries = id.equals("long") ? 200 : 5;
      for (int i = 0; i < entries; i++) {
        east.commands().rpush(bytes("log:" + id + ":left"), bytes("t" + i + ":x"));
        if (!id.equals("hole") || i != 2) {
          west.commands().zadd(bytes("log:" + id + ":right"), i, bytes("t" + i + ":x"));
        }
      }
    }
    open(SweepRig.GAPS_ONLY);
    rig.start();
    sweepGaps();

    assertThat(rig.suspects()).containsExactly("log/hole");
  }

  @Test
  void shouldLeaveHealthyInstancesOfSomeWritesAloneOrTellThemOnce() {
    some("both", "7:t7:x", "5:t5:y");
    some("never-written", "7:t7:x", null);
    some("foreign", "7:t7:x", "unstamped");
    some("two-versions", "7:t:x", "5:t:y");
    some("two-tokens", "7:t7:x", "7:t8:y");
    open(SweepRig.GAPS_ONLY);
    rig.start();
    sweepGaps();
    sweepGaps();
    sweepGaps();

    assertThat(rig.published())
        .containsExactlyInAnyOrder(
            "some/never-written", "some/foreign", "some/two-versions", "some/two-tokens");
    assertThat(balanced().of(Fate.KNOWN)).isGreaterThanOrEqualTo(8);
    some("never-written", "8:t8:x", null);
    sweepGaps();
    assertThat(rig.published()).hasSize(5);
  }

  @Test
  void shouldNotTakeWritesInFlightForTears() throws Exception {
    for (int i = 0; i < 200; i++) {
      user(i, "1:t1:x", "1:t1:y");
    }
    user("torn", "7:t7:x", "6:t6:y");
    AtomicBoolean stop = new AtomicBoolean();
    Thread writer =
        new Thread(
            () -> {
              for (long v = 2; !stop.get(); v++) {
                for (int i = 0; i < 200 && !stop.get(); i += 20) {
                  east.set("user:" + i + ":profile", v + ":t" + v + ":x");
                  west.set("user:" + i + ":settings", v + ":t" + v + ":y");
                }
              }
            });
    open("{ rate: 100000, every: 1ms, gap-rate: 100000, latency: 10s }");
    rig.start();
    writer.start();
    try {
      await().atMost(PATIENCE).until(() -> rig.sweeper().counters().scanned() > 10_000);
    } finally {
      stop.set(true);
      writer.join();
    }

    await().atMost(PATIENCE).until(() -> rig.published().contains("user/torn"));
    assertThat(rig.published().stream().filter(i -> !i.equals("user/torn")).toList())
        .hasSizeLessThan(10);
  }

  @Test
  void shouldSweepTheKeysOfTheNodeWithAGapOnly() {
    for (int i = 0; i < 100; i++) {
      user(i, "1:t1:x", "1:t1:y");
    }
    user("torn", "7:t7:x", "6:t6:y");
    user("only-west", null, "6:t6:y");
    open(SweepRig.GAPS_ONLY);
    rig.start();
    long offset = rig.gap("east", east.address());
    await().atMost(PATIENCE).until(rig::swept);

    assertThat(rig.published()).containsExactly("user/torn");
    assertThat(rig.sweeper().counters().scanned()).isEqualTo(101);
    assertThat(rig.book.closed("east/" + east.address())).isEqualTo(1);
    assertThat(rig.book.mark("west/" + west.address()).map(Sweep::getLastStartedAtMillis))
        .isEmpty();
    Sweep mark = rig.book.mark("east/" + east.address()).orElseThrow();
    assertThat(mark.getSweptThrough()).isEqualTo(offset);
    assertThat(mark.getLastScanned()).isEqualTo(101);
    assertThat(mark.getLastFindings()).isEqualTo(1);
    await()
        .atMost(PATIENCE)
        .until(() -> rig.marks().stream().anyMatch(m -> m.getSweptThrough() == offset));
  }

  @Test
  void shouldLookForGapsFirstAndThenSweepInTheBackgroundAgainAndAgain() {
    for (int i = 0; i < 100; i++) {
      user(i, "1:t1:x", "1:t1:y");
    }
    open("{ rate: 100000, every: 200ms, gap-rate: 100000, latency: 10s }");
    rig.start();
    await().atMost(PATIENCE).until(() -> rig.sweeper().counters().scanned() >= 600);
    user(3, "2:t2:x", null);

    await().atMost(PATIENCE).until(() -> rig.published().contains("user/3"));
    assertThat(rig.published()).containsOnlyOnce("user/3");
  }

  @Test
  void shouldSweepOnlyNodesOfItsShare() {
    user("torn", "7:t7:x", "6:t6:y");
    rig =
        new SweepRig(
            TestStores.one(east),
            TestStores.one(west),
            SweepRig.GAPS_ONLY,
            new SweepBook(),
            new AtomicLong(),
            name -> name.startsWith("west/"));
    rig.start();
    rig.gapEverywhere();
    await().atMost(PATIENCE).until(() -> rig.book.open("west/" + west.address()).isEmpty());

    assertThat(rig.sweeper().counters().scanned()).isEqualTo(1);
    assertThat(rig.book.open("east/" + east.address())).hasSize(1);
  }

  @Test
  void shouldKeepToItsRate() {
    for (int i = 0; i < 1_000; i++) {
      east.set("undeclared:" + i, "x");
    }
    open("{ rate: 0, gap-rate: 500, latency: 10s }");
    rig.start();
    long began = System.nanoTime();
    rig.gap("east", east.address());
    await().atMost(PATIENCE).until(rig::swept);

    // the last page is free
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(Duration.ofMillis(1_500));
  }

  @Test
  void shouldGoOnAfterARestartWhereItWas() {
    List<String> torn = new ArrayList<>();
    for (int i = 0; i < 1_500; i++) {
      user(i, "2:t2:x", i % 500 == 0 ? "1:t1:y" : "2:t2:y");
      if (i % 500 == 0) {
        torn.add("user/" + i);
      }
    }
    AtomicLong offsets = new AtomicLong();
    SweepBook book = new SweepBook();
    String slow = "{ rate: 0, gap-rate: 500, latency: 10s }";
    rig =
        new SweepRig(TestStores.one(east), TestStores.one(west), slow, book, offsets, name -> true);
    rig.start("first");
    rig.gap("east", east.address());
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                rig.marks().stream()
                    .anyMatch(m -> m.getCursor() != null && !m.getCursor().equals("0")));
    rig.sweeper().close();
    Sweep left =
        rig.marks().stream()
            .filter(mark -> mark.getStore().equals("east"))
            .reduce((earlier, later) -> later)
            .orElseThrow();
    long scannedBefore = left.getScanned();
    assertThat(left.getCursor()).isNotNull();
    assertThat(scannedBefore).isLessThan(1_500);
    rig.start("second");
    await().atMost(PATIENCE).until(rig::swept);

    assertThat(rig.published()).containsAll(torn);
    assertThat(rig.sweeper().counters().scanned()).isLessThan(1_500);
    assertThat(rig.book.mark("east/" + east.address()).orElseThrow().getLastScanned())
        .isGreaterThanOrEqualTo(1_500);
  }

  @Test
  void shouldTellASuspicionAgainThatTheBrokersDidNotTake() {
    user("torn", "7:t7:x", "6:t6:y");
    open(SweepRig.GAPS_ONLY);
    rig.producer.refuse(new IllegalStateException("no"), "restitch-snapshots");
    rig.start();
    rig.gap("east", east.address());
    await().atMost(PATIENCE).until(() -> rig.sweeper().counters().scanned() == 1);
    assertThat(rig.swept()).isFalse();
    rig.producer.accept();

    await().atMost(PATIENCE).until(rig::swept);
    assertThat(rig.published()).containsExactly("user/torn");
    assertThat(rig.snapshots().get(0).getSides())
        .extracting(Reading::getState)
        .containsOnly(KeyState.STAMPED);
  }

  @Test
  void shouldNeverTakeAShardThatDoesNotAnswerForAbsentNorCloseTheGap() {
    TestRedis mortal = TestRedis.silent();
    east.set("user:1:profile", "7:t7:x");
    mortal.set("user:1:settings", "7:t7:y");
    rig = new SweepRig(TestStores.one(east), TestStores.one(mortal), SweepRig.GAPS_ONLY);
    mortal.kill();
    String name = "east/" + east.address();
    rig.start();
    rig.gap("east", east.address());
    await()
        .atMost(PATIENCE)
        .until(() -> rig.book.mark(name).filter(m -> m.getLastUnreadable() == 1).isPresent());

    assertThat(rig.published()).isEmpty();
    assertThat(rig.book.open(name)).hasSize(1);
    assertThat(rig.book.mark(name).orElseThrow().getTrouble()).contains("could not be read");
    assertThat(balanced().of(Fate.UNREADABLE)).isEqualTo(1);
    mortal.close();
  }

  @Test
  void shouldPauseWhileTheStoreAnswersSlowlyAndThenGoOn() {
    for (int i = 0; i < 1_500; i++) {
      east.set("undeclared:" + i, "x");
    }
    open("{ rate: 0, gap-rate: 500, latency: 100ms }");
    rig.start();
    rig.gap("east", east.address());
    String name = "east/" + east.address();
    await().atMost(PATIENCE).until(() -> rig.sweeper().counters().scanned() > 500);
    assertThat(rig.sweeper().pauses()).isZero();
    east.commands().clientPause(500);
    await().atMost(PATIENCE).until(() -> rig.sweeper().pauses() > 0);
    await().atMost(PATIENCE).until(rig::swept);

    assertThat(rig.book.mark(name).orElseThrow().getLastScanned()).isEqualTo(1_500);
    assertThat(rig.book.mark(name).orElseThrow().getPaused()).isNull();
  }

  @Test
  void shouldBeginAnewWhereAnotherProcessAnswers() throws Exception {
    try (TestRedis restarting =
        TestRedis.with("enable-debug-command yes", "save 3600 1", "dbfilename dump.rdb")) {
      for (int i = 0; i < 1_000; i++) {
        restarting.set("user:" + i + ":profile", "1:t1:x");
        west.set("user:" + i + ":settings", "1:t1:y");
      }
      rig =
          new SweepRig(
              TestStores.one(restarting),
              TestStores.one(west),
              "{ rate: 0, gap-rate: 400, latency: 10s }");
      rig.start();
      rig.gap("east", restarting.address());
      await().atMost(PATIENCE).until(() -> rig.sweeper().counters().scanned() > 300);
      String before = runId(restarting);
      // not by the client, which would send it again
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), restarting.port())) {
        socket.getOutputStream().write(bytes("DEBUG RESTART\r\n"));
        assertThat(socket.getInputStream().read()).isEqualTo(-1);
      }
      await().atMost(PATIENCE).until(rig::swept);

      assertThat(runId(restarting)).isNotEqualTo(before);
      Sweep mark = rig.book.mark("east/" + restarting.address()).orElseThrow();
      assertThat(mark.getLastScanned()).isEqualTo(1_000);
      assertThat(rig.sweeper().counters().scanned()).isGreaterThan(1_300);
      assertThat(rig.published()).isEmpty();
    }
  }

  private static String runId(TestRedis redis) {
    return redis
        .commands()
        .info("server")
        .lines()
        .filter(line -> line.startsWith("run_id:"))
        .findFirst()
        .orElseThrow();
  }
}
