package dev.restitch.sandbox.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.restitch.cli.RestitchMain;
import dev.restitch.sandbox.docs.Document.Block;
import dev.restitch.sandbox.server.RedisProcess;
import dev.restitch.sandbox.server.RespConnection;
import dev.restitch.sandbox.server.Scratch;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** Every pattern of {@code docs/stamping.md}, its commands sent to real servers as they stand. */
class StampingDocumentIT {

  private static final Document DOCUMENT = Document.of("docs/stamping.md");
  private static final int WHOLE = 0;
  private static final int TORN = 3;

  private static Scratch scratch;
  private static final Map<String, RedisProcess> SERVERS = new LinkedHashMap<>();

  @BeforeAll
  static void start() throws Exception {
    scratch = Scratch.create("restitch-stamping-");
    SERVERS.put("east", RedisProcess.start(scratch));
    SERVERS.put("west", RedisProcess.start(scratch));
  }

  @AfterAll
  static void stop() {
    SERVERS.values().forEach(RedisProcess::close);
    scratch.close();
  }

  static List<String> patterns() {
    return DOCUMENT.blocks("commands").stream().map(Block::heading).toList();
  }

  @ParameterizedTest
  @MethodSource("patterns")
  void shouldBeWholeAndTornWhereThePageSaysSo(String pattern) throws Exception {
    Path config = scratch.dir().resolve(pattern.replace(' ', '-') + ".yaml");
    Files.writeString(
        config,
        block("yaml", pattern)
            .text()
            .replace("redis://localhost:7001", SERVERS.get("east").uri())
            .replace("redis://localhost:7002", SERVERS.get("west").uri()));
    int checks = 0;
    for (String line : block("commands", pattern).lines()) {
      String[] words = line.split(" ");
      if (SERVERS.containsKey(words[0])) {
        send(SERVERS.get(words[0]), Arrays.copyOfRange(words, 1, words.length));
      } else {
        assertThat(words[0]).isIn("whole", "torn");
        check(config, words[1], words[0].equals("whole") ? WHOLE : TORN);
        checks++;
      }
    }
    assertThat(checks).isEqualTo(2);
  }

  private static Block block(String language, String heading) {
    return DOCUMENT.blocks(language).stream()
        .filter(block -> block.heading().equals(heading))
        .findFirst()
        .orElseThrow();
  }

  private static void send(RedisProcess server, String... command) throws IOException {
    try (RespConnection connection = new RespConnection(server.port())) {
      connection.call(command);
    }
  }

  private static void check(Path config, String key, int code) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine line =
        RestitchMain.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));

    int ended = line.execute("check", key, "--config", config.toString());

    assertThat(ended).as("check %s%n%s%n%s", key, out, err).isEqualTo(code);
  }
}
