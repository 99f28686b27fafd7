package dev.restitch.sandbox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.restitch.cli.RestitchMain;
import dev.restitch.sandbox.server.RedisProcess;
import dev.restitch.sandbox.server.Scratch;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The command from end to end, against real servers and without an auditor. */
class CheckCommandIT {

  private static Scratch scratch;
  private static RedisProcess east;
  private static RedisProcess west;
  private static RedisClient client;
  private static RedisCommands<String, String> left;
  private static RedisCommands<String, String> right;
  private static Path file;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeAll
  static void start() throws Exception {
    scratch = Scratch.create("restitch-check-");
    east = RedisProcess.start(scratch);
    west = RedisProcess.start(scratch);
    client = RedisClient.create();
    left = client.connect(RedisURI.create(east.uri())).sync();
    right = client.connect(RedisURI.create(west.uri())).sync();
    file = config("restitch.yaml", west.uri());
  }

  private static Path config(String name, String westUri) throws Exception {
    return Files.writeString(
        scratch.dir().resolve(name),
        """
        kafka: { bootstrap.servers: "localhost:1" }
        registry: { url: "http://localhost:1" }
        stores: { east: { uri: "%s" }, west: { uri: "%s" } }
        relations:
          user:
            sides:
              profile:  { store: east, key: "user:{id}:profile" }
              settings: { store: west, key: "user:{id}:settings" }
            stamp: "{version}:{token}:{payload}"
            version: { order: counter }
            settle: 100ms
          near:
            sides:
              a: { store: east, key: "near:{id}:a" }
              b: { store: east, key: "near:{id}:b" }
            writes: some
            stamp: "{version}:{token}:{payload}"
            version: { order: counter }
            settle: 100ms
          pay:
            sides:
              debit:  { store: east, key: "pay:{id}:debit" }
              credit: { store: west, key: "pay:{id}:credit" }
            stamp: "{version}:{token}:{payload}"
            version: { order: counter }
            marker: { store: east, key: "txn:{token}:committed", ttl: 1h }
            settle: 100ms
          cart:
            sides:
              head: { store: east, key: "cart:{id}:head", type: hash, fields: { version: v, token: t } }
              body: { store: west, key: "cart:{id}:body", type: hash, fields: { version: v, token: t } }
            version: { order: counter }
            settle: 100ms
          log:
            sides:
              one: { store: east, key: "log:{id}:one", type: list }
              two: { store: west, key: "log:{id}:two", type: list }
            stamp: "{token}:{payload}"
            settle: 100ms
          line:
            sides:
              one: { store: east, key: "line:{id}:one", type: zset }
              two: { store: west, key: "line:{id}:two", type: zset }
            stamp: "{token}:{payload}"
            settle: 100ms
        """
            .formatted(east.uri(), westUri));
  }

  @AfterAll
  static void stop() {
    client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
    east.close();
    west.close();
    scratch.close();
  }

  @BeforeEach
  void empty() {
    left.flushall();
    right.flushall();
  }

  private int check(Path config, String... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    CommandLine line = RestitchMain.commandLine();
    line.setOut(new PrintWriter(out, true));
    line.setErr(new PrintWriter(err, true));
    return line.execute(
        Stream.concat(Stream.of("check", "--config", config.toString()), Stream.of(arguments))
            .toArray(String[]::new));
  }

  private int check(String... arguments) {
    return check(file, arguments);
  }

  @Test
  void shouldSayWholeWhereAllSidesCarryOneTransaction() {
    left.set("user:1:profile", "7:t7:secret");
    right.set("user:1:settings", "7:t7:secret");

    assertThat(check("user:1:settings", "east/user:1:profile", "user/1")).isZero();
    assertThat(out.toString())
        .containsOnlyOnce("user/1 is whole")
        .contains("east/user:1:profile", "7:t7")
        .doesNotContain("secret");
  }

  @Test
  void shouldSayTornWithTheRuleAndTheSideThatIsBehind() throws Exception {
    left.set("user:1:profile", "8:t8:x");
    right.set("user:1:settings", "7:t7:y");

    assertThat(check("user:1:settings")).isEqualTo(3);
    assertThat(out.toString()).contains("user/1 is torn: TORN_MISSING", "behind: user:1:settings");
    assertThat(check("user:1:settings", "-o", "json")).isEqualTo(3);
    JsonNode found = new ObjectMapper().readTree(out.toString());
    assertThat(found.path("result").asText()).isEqualTo("torn");
    assertThat(found.path("verdict").asText()).isEqualTo("TORN_MISSING");
    assertThat(found.path("token").asText()).isEqualTo("t8");
    assertThat(found.path("behind").get(0).asText()).isEqualTo("user:1:settings");
    assertThat(found.path("looks").asInt()).isEqualTo(2);
    assertThat(found.path("sides")).hasSize(2);
  }

  @Test
  void shouldSayTornWhereASideIsAbsentOrForeign() {
    left.set("user:1:profile", "8:t8:x");
    left.set("user:2:profile", "8:t8:x");
    right.set("user:2:settings", "no stamp");

    assertThat(check("user/1", "user/2")).isEqualTo(3);
    assertThat(out.toString())
        .contains("user/1 is torn: TORN_MISSING", "user/2 is torn: FOREIGN_WRITE")
        .contains("cannot be known from this: whether a side was deleted on purpose");
  }

  @Test
  void shouldNotCallAWriteThatIsUnderWayTorn() throws Exception {
    left.set("user:1:profile", "8:t8:x");
    right.set("user:1:settings", "7:t7:y");
    right.configResetstat();
    AtomicBoolean answered = new AtomicBoolean();
    Thread writer =
        new Thread(
            () -> {
              while (!answered.get() && !right.info("commandstats").contains("cmdstat_getrange:")) {
                Thread.onSpinWait();
              }
              right.set("user:1:settings", "8:t8:y");
            });
    writer.start();

    int code = check("user/1");
    answered.set(true);
    writer.join();
    assertThat(code).as(out + " " + err).isZero();
  }

  @Test
  void shouldLeaveItUndecidedWhereItMayLookOnlyOnce() {
    left.set("user:1:profile", "8:t8:x");
    right.set("user:1:settings", "7:t7:y");

    assertThat(check("user/1", "--once")).isEqualTo(4);
    assertThat(out.toString())
        .contains("user/1 is undecided: TORN_MISSING", "a write may be under way");
  }

  @Test
  void shouldLeaveItUndecidedWhereOnlyIntentsTell() {
    left.set("near:1:a", "8:t8:x");
    left.set("near:1:b", "7:t7:x");
    left.set("near:2:a", "8:t8:x");
    left.set("near:2:b", "8:t8:x");
    left.set("user:5:profile", "old");

    assertThat(check("near/1")).isEqualTo(4);
    assertThat(out.toString()).contains("near/1 is undecided", "writes: some");
    assertThat(check("near/2")).isZero();
    assertThat(check("user/5")).isEqualTo(4);
    assertThat(out.toString()).contains("no side carries a stamp");
    assertThat(check("user/404")).isZero();
    assertThat(out.toString()).contains("no side is there");
  }

  @Test
  void shouldReadHashesListsAndSortedSets() {
    left.hset("cart:1:head", Map.of("v", "8", "t", "t8"));
    right.hset("cart:1:body", Map.of("v", "7", "t", "t7"));
    left.rpush("log:1:one", "a:x", "b:x", "c:x");
    right.rpush("log:1:two", "a:x", "c:x");
    left.zadd("line:1:one", 1, "a:x");
    right.zadd("line:1:two", 1, "a:x");

    assertThat(check("cart/1")).isEqualTo(3);
    assertThat(out.toString()).contains("TORN_MISSING", "behind: cart:1:body");
    assertThat(check("log/1")).isEqualTo(3);
    assertThat(out.toString()).contains("LOG_HOLE", "behind: log:1:two");
    assertThat(check("line/1")).isZero();
  }

  @Test
  void shouldReadTheMarkersOfWhatStandsThere() {
    left.set("pay:1:debit", "8:t8:x");
    right.set("pay:1:credit", "8:t8:x");
    assertThat(check("pay/1")).isEqualTo(4);
    assertThat(out.toString())
        .contains("its marker is not there", "east/txn:t8:committed", "(absent)");

    left.setex("txn:t8:committed", 3600, "1");
    assertThat(check("pay/1")).isZero();
    assertThat(out.toString()).contains("(present)");

    right.set("pay:1:credit", "7:t7:x");
    assertThat(check("pay/1")).isEqualTo(3);
    assertThat(out.toString()).contains("COMMITTED_TORN");
  }

  @Test
  void shouldNameTheNearestPatternsOfAKeyThatNoRelationDeclares() {
    assertThat(check("usr:1:profile")).isEqualTo(2);
    assertThat(err.toString())
        .contains(
            "'usr:1:profile' is the key of no relation",
            "the nearest patterns are user:{id}:profile");
    assertThat(check("txn:t8:committed")).isEqualTo(2);
    assertThat(err.toString()).contains("commit marker of relation pay", "pay:{id}:debit");
    assertThat(check("user/1/2")).isEqualTo(2);
    assertThat(check()).isEqualTo(2);
  }

  @Test
  void shouldExitWithFourWhereAStoreCannotBeReached() throws Exception {
    Path away = config("away.yaml", "redis://127.0.0.1:1");
    left.set("near:2:a", "8:t8:x");
    left.set("near:2:b", "8:t8:x");

    assertThat(check(away, "user/1")).isEqualTo(4);
    assertThat(err.toString()).contains("store 'west'");
    assertThat(check(away, "near/2")).as("needs the other store only").isZero();
  }
}
