package dev.restitch.sandbox.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.restitch.sandbox.SandboxMain;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import picocli.CommandLine;

class BenchCommandIT {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int bench(String... arguments) {
    CommandLine line = SandboxMain.commandLine();
    line.setOut(new PrintWriter(out, true));
    line.setErr(new PrintWriter(err, true));
    return line.execute(arguments);
  }

  private static JsonNode figure(JsonNode report, String suite, String name) {
    return StreamSupport.stream(report.path("figures").spliterator(), false)
        .filter(f -> f.path("suite").asText().equals(suite))
        .filter(f -> f.path("figure").asText().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void shouldMeasureWatcherAndSweepBesideTheirPeersOnOneServer() throws Exception {
    assertThat(
            bench(
                "bench", "--suite", "watch,sweep", "--rounds", "2", "--size", "2000", "-o", "json"))
        .as(err.toString())
        .isZero();

    JsonNode report = new ObjectMapper().readTree(out.toString());
    assertThat(report.path("versions").get(0).asText()).matches("(Redis|Valkey) \\d+\\..*");
    for (JsonNode ratio :
        new JsonNode[] {
          figure(report, "watch", "watcher / bare"), figure(report, "sweep", "sweep / bare")
        }) {
      assertThat(ratio.path("samples")).hasSize(2);
      assertThat(ratio.path("median").asDouble()).isPositive();
    }
    assertThat(figure(report, "watch", "server CPU, watcher").path("median").asDouble())
        .isPositive();
  }

  /** Starts a JVM for each contender, which takes minutes: by hand. */
  @Test
  @EnabledIfSystemProperty(named = "restitch.bench", matches = "judge")
  void shouldMeasureTheJudgeBesideATopologyThatDoesNothingAndKillItAtFullLoad() throws Exception {
    assertThat(
            bench(
                "bench --suite judge --contenders pass-through,judge --rounds 1 --size 6000"
                    .concat(" --open 300 --kill -o json")
                    .split(" ")))
        .as(err.toString())
        .isZero();

    JsonNode report = new ObjectMapper().readTree(out.toString());
    assertThat(report.path("versions").get(0).asText()).startsWith("Kafka ");
    assertThat(err.toString()).contains("begun again: the answers are the same");
    for (String positive :
        new String[] {
          "CPU, judge / pass-through",
          "judge, rate",
          "judge, changelog",
          "judge, peak memory",
          "state of an open transaction, logged"
        }) {
      assertThat(figure(report, "judge", positive).path("median").asDouble())
          .as(positive)
          .isPositive();
    }
  }

  @Test
  void shouldRefuseAContenderThatDoesNotExist() {
    assertThat(bench("bench", "--suite", "judge", "--contenders", "nobody")).isEqualTo(2);
    assertThat(err.toString()).contains("'nobody'", "pass-through");
  }

  @Test
  void shouldRefuseASuiteThatDoesNotExist() {
    assertThat(bench("bench", "--suite", "nonsense")).isEqualTo(2);
    assertThat(err.toString()).contains("[nonsense]", "[replay, watch, sweep, repair, judge]");
  }
}
