package dev.restitch.sandbox.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.restitch.sandbox.server.JavaCommand;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demo as its users run it: the runnable jar, with the services' runnable jars beside it. */
class DemoIT {

  private static final Duration AT_MOST = Duration.ofMinutes(6);

  /** Everything that the demo makes must be in here, and be gone afterwards. */
  @TempDir private Path temp;

  @TempDir private Path results;
  private Process demo;

  @AfterEach
  void endDemo() {
    if (demo != null) {
      demo.destroyForcibly();
    }
  }

  @Test
  void shouldFindAndMendEveryTearAndNothingElse() throws Exception {
    JsonNode result = run("--seed", "11", "--tear-rate", "0.005");
    assertThat(result.path("passed").booleanValue()).as(result.toString()).isTrue();
    assertCounts(result, 15);
  }

  @Test
  void shouldFindAndMendTheSameWhenAuditorAndWorkerAreKilledHalfWay() throws Exception {
    JsonNode result = run("--seed", "12", "--tear-rate", "0.005", "--kill", "auditor,worker");
    assertThat(result.path("passed").booleanValue()).as(result.toString()).isTrue();
    assertCounts(result, 15);
  }

  @Test
  void shouldLeaveNothingBehindWhenItIsInterrupted() throws Exception {
    Path out = results.resolve("out");
    Path err = results.resolve("err");
    start(out, err, List.of("--keep-running", "--rate", "50", "--duration", "10m"));
    await().atMost(AT_MOST).until(() -> Files.readString(err).contains("writing"));
    List<ProcessHandle> children = demo.descendants().toList();
    assertThat(children).hasSizeGreaterThanOrEqualTo(4);

    demo.destroy();

    assertThat(demo.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(children).noneMatch(ProcessHandle::isAlive);
    assertThat(temp).isEmptyDirectory();
  }

  private static void assertCounts(JsonNode result, int tears) {
    assertThat(result.path("writes").asInt()).isGreaterThanOrEqualTo(3_000 - 10);
    assertThat(result.path("injected").asInt()).isEqualTo(tears);
    assertThat(result.path("found").asInt()).isEqualTo(tears);
    assertThat(result.path("repaired").asInt() + result.path("healed").asInt()).isEqualTo(tears);
    assertThat(result.path("false").asInt()).isZero();
    assertThat(result.path("left").asInt()).isZero();
  }

  /** Runs it to its end, and checks that exit code and result agree and nothing stays. */
  private JsonNode run(String... options) throws Exception {
    Path out = results.resolve("out");
    Path err = results.resolve("err");
    List<String> all = new ArrayList<>(List.of("--rate", "200", "--duration", "15s"));
    all.addAll(List.of("--instances", "300", "-o", "json"));
    all.addAll(List.of(options));
    start(out, err, all);
    assertThat(demo.waitFor(AT_MOST.toSeconds(), TimeUnit.SECONDS)).isTrue();
    String printed = Files.readString(out);
    assertThat(printed).as(Files.readString(err)).startsWith("{");
    JsonNode result = new ObjectMapper().readTree(printed);
    assertThat(demo.exitValue()).isEqualTo(result.path("passed").booleanValue() ? 0 : 1);
    assertThat(temp).isEmptyDirectory();
    return result;
  }

  private void start(Path out, Path err, List<String> options) throws Exception {
    List<String> command = new ArrayList<>(List.of(JavaCommand.java(), "-Xmx768m"));
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData"));
    command.add("-Djava.io.tmpdir=" + temp);
    command.addAll(List.of("-jar", Home.find().jar("sandbox").toString(), "demo"));
    command.addAll(options);
    demo =
        new ProcessBuilder(command)
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
  }
}
