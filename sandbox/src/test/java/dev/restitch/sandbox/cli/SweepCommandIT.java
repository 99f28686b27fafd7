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
import io.lettuce.core.codec.ByteArrayCodec;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The command from end to end, against real servers and without an auditor. */
class SweepCommandIT {

  private static final ObjectMapper JSON = new ObjectMapper();

  private static Scratch scratch;
  private static RedisProcess east;
  private static RedisProcess west;
  private static RedisClient client;
  private static RedisCommands<byte[], byte[]> left;
  private static RedisCommands<byte[], byte[]> right;
  private static Path file;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeAll
  static void start() throws Exception {
    scratch = Scratch.create("restitch-sweep-");
    east = RedisProcess.start(scratch);
    west = RedisProcess.start(scratch);
    client = RedisClient.create();
    left = client.connect(ByteArrayCodec.INSTANCE, RedisURI.create(east.uri())).sync();
    right = client.connect(ByteArrayCodec.INSTANCE, RedisURI.create(west.uri())).sync();
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
            settle: 200ms
          order:
            sides:
              head: { store: east, key: "order:{id}:head" }
              body: { store: west, key: "order:{id}:body" }
            stamp: "{version}:{token}:{payload}"
            version: { order: counter }
            settle: 200ms
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
  void fill() {
    left.flushall();
    right.flushall();
    for (int i = 0; i < 200; i++) {
      user("u" + i, "7:t7:x", "7:t7:y");
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static void user(String id, String profile, String settings) {
    left.set(bytes("user:" + id + ":profile"), bytes(profile));
    right.set(bytes("user:" + id + ":settings"), bytes(settings));
  }

  private int sweep(Path config, String... arguments) {
    CommandLine line = RestitchMain.commandLine();
    line.setOut(new PrintWriter(out, true));
    line.setErr(new PrintWriter(err, true));
    String[] all =
        Stream.concat(Stream.of("sweep", "--config", config.toString()), Stream.of(arguments))
            .toArray(String[]::new);
    return line.execute(all);
  }

  @Test
  void shouldExitWithZeroWhereEverythingIsWholeAndWriteNothing() {
    left.configResetstat();

    assertThat(sweep(file)).isZero();
    assertThat(out.toString()).isEmpty();
    assertThat(err.toString())
        .contains("400 keys scanned", "0 suspicious, 0 without any stamp, 0 not readable");
    List<String> commands =
        left.info("commandstats")
            .lines()
            .filter(line -> line.startsWith("cmdstat_"))
            .map(line -> line.substring("cmdstat_".length(), line.indexOf(':')))
            .toList();
    assertThat(commands)
        .contains("scan", "getrange")
        .isSubsetOf(
            "scan",
            "getrange",
            "ping",
            "info",
            "dbsize",
            "hello",
            "client|setinfo",
            "client|setname",
            "config|resetstat",
            "select",
            "command",
            "client",
            "auth");
  }

  @Test
  void shouldPrintWhatDisagreesAsATable() {
    user("torn", "8:t8:x", "7:t7:y");
    user("foreign", "8:t8:x", "unstamped");
    right.del(bytes("user:u3:settings"));

    assertThat(sweep(file)).isEqualTo(3);
    assertThat(out.toString().lines())
        .satisfiesExactly(
            line -> assertThat(line).startsWith("INSTANCE").contains("FINDING", "SIDES"),
            line -> assertThat(line).startsWith("user/foreign").contains("unstamped"),
            line ->
                assertThat(line)
                    .startsWith("user/torn")
                    .contains(
                        "differs", "east/user:torn:profile=8:t8  west/user:torn:settings=7:t7"),
            line -> assertThat(line).startsWith("user/u3").contains("missing", "(absent)"));
    assertThat(err.toString()).contains("3 suspicious");
  }

  @Test
  void shouldPrintWhatDisagreesAsJsonWithBytesThatAreNoText() throws Exception {
    byte[] id = {(byte) 0xff, 0};
    left.set(concat(bytes("user:"), id, bytes(":profile")), bytes("8:t8:x"));
    right.set(concat(bytes("user:"), id, bytes(":settings")), bytes("7:t7:x"));

    assertThat(sweep(file, "-o", "json")).isEqualTo(3);
    JsonNode found = JSON.readTree(out.toString());
    assertThat(found.path("instance").asText()).isEqualTo("user/%FF%00");
    assertThat(found.path("finding").asText()).isEqualTo("differs");
    JsonNode side = found.path("sides").get(0);
    assertThat(Base64.getDecoder().decode(side.path("key64").asText()))
        .startsWith(bytes("user:"))
        .contains(id);
    assertThat(side.path("version").asLong()).isEqualTo(8);
    assertThat(side.path("token").asText()).isEqualTo("t8");
  }

  private static byte[] concat(byte[]... parts) {
    StringBuilder text = new StringBuilder();
    for (byte[] part : parts) {
      text.append(new String(part, StandardCharsets.ISO_8859_1));
    }
    return text.toString().getBytes(StandardCharsets.ISO_8859_1);
  }

  @Test
  void shouldNotPrintWhatIsWholeWhenItIsLookedAtAgain() throws Exception {
    left.set(bytes("user:u3:profile"), bytes("8:t8:x"));
    Thread writer =
        new Thread(
            () -> {
              // the second half of a write that the first look comes into the middle of
              while (!stat(right, "getrange")) {
                Thread.onSpinWait();
              }
              right.set(bytes("user:u3:settings"), bytes("8:t8:y"));
            });
    right.configResetstat();
    writer.start();

    int code = sweep(file);
    writer.join();
    assertThat(code).isZero();
  }

  private static boolean stat(RedisCommands<byte[], byte[]> server, String command) {
    return server.info("commandstats").contains("cmdstat_" + command + ":");
  }

  @Test
  void shouldSweepOnlyWhatIsAskedFor() {
    user("torn", "8:t8:x", "7:t7:y");
    left.set(bytes("order:1:head"), bytes("8:t8:x"));

    assertThat(sweep(file, "--relation", "order")).isEqualTo(3);
    assertThat(out.toString()).contains("order/1").doesNotContain("user/");
    out.getBuffer().setLength(0);
    assertThat(sweep(file, "--prefix", "user:t")).isEqualTo(3);
    assertThat(out.toString()).contains("user/torn").doesNotContain("order/");
    out.getBuffer().setLength(0);
    assertThat(sweep(file, "--store", "west", "--relation", "order")).isZero();
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void shouldNameWhatIsWrongWithItsUse() {
    assertThat(sweep(file, "--relation", "usr")).isEqualTo(2);
    assertThat(err.toString()).contains("there is no 'usr'; known are [order, user]");
    assertThat(sweep(file, "--store", "north")).isEqualTo(2);
    assertThat(sweep(file, "--rate", "0")).isEqualTo(2);
    assertThat(sweep(scratch.dir().resolve("none.yaml"))).isEqualTo(2);
  }

  @Test
  void shouldExitWithFourWhereAStoreCannotBeReached() throws Exception {
    assertThat(sweep(config("away.yaml", "redis://127.0.0.1:1"))).isEqualTo(4);
    assertThat(err.toString()).contains("store 'west'");
  }

  @Test
  void shouldTellHowItGetsOnInLinesWhereThereIsNoTerminal() {
    for (int i = 0; i < 800; i++) {
      left.set(bytes("other:" + i), bytes("x"));
    }

    assertThat(sweep(file, "--rate", "400", "--store", "east")).isZero();
    assertThat(err.toString())
        .containsPattern("swept \\d+ of 1000 keys \\(\\d+ %\\), .*ETA 0:00:0");
  }
}
