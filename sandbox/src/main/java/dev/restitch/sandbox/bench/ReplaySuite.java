package dev.restitch.sandbox.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.restitch.sandbox.history.Answers;
import dev.restitch.sandbox.history.HistoryGenerator;
import dev.restitch.sandbox.history.HistoryGenerator.Written;
import dev.restitch.sandbox.history.KnownTear;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * {@code replay --history} of a generated history with known tears, as a process of its own on one
 * core, beside a bare reader that parses the same lines and does nothing with them.
 */
final class ReplaySuite implements Suite {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long OWN_SIZE = 1_000_000;
  private static final int PER_SECOND = 10_000;
  private static final double TEAR_SHARE = 0.001;
  private static final double MUST_LINES_A_SECOND = 150_000;

  @Override
  public String name() {
    return "replay";
  }

  @Override
  public String title() {
    return "replay --history of a generated history, one core";
  }

  @Override
  public List<Figure> run(BenchRun run) throws IOException, InterruptedException {
    Path history = run.folder().resolve("history.jsonl");
    Path config = run.folder().resolve("restitch.yaml");
    Files.writeString(config, HistoryGenerator.RELATIONS);
    long transactions = run.sizeOr(OWN_SIZE);
    Written written =
        new HistoryGenerator(run.seed(), transactions, PER_SECOND, TEAR_SHARE)
            .write(history, n -> {});
    run.progress()
        .accept(
            "history: %,d transactions, %,d lines, %,d MB, %,d tears"
                .formatted(
                    transactions,
                    written.lines(),
                    Files.size(history) >> 20,
                    written.tears().size()));
    double[] rate = new double[run.rounds()];
    double[] cpu = new double[run.rounds()];
    double[] memory = new double[run.rounds()];
    double[] ratio = new double[run.rounds()];
    for (int round = 0; round < run.rounds(); round++) {
      Path out = run.folder().resolve("replay.out");
      OneCoreJvm.Cost bare =
          OneCoreJvm.run(
              run.lifetime(), BareReader.class.getName(), out, List.of(history.toString()));
      OneCoreJvm.Cost replay =
          OneCoreJvm.run(
              run.lifetime(),
              "dev.restitch.cli.RestitchMain",
              out,
              List.of(
                  "replay",
                  "--history",
                  history.toString(),
                  "--config",
                  config.toString(),
                  "-o",
                  "json"));
      Answers answers = check(written.tears(), out);
      rate[round] = written.lines() / replay.seconds();
      cpu[round] = replay.cpuSeconds() * 1e6 / transactions;
      memory[round] = replay.peakBytes() / 1e6;
      ratio[round] = replay.cpuSeconds() / bare.cpuSeconds();
      run.progress()
          .accept(
              "round %d: replay %.1f s, bare reader %.1f s; %s"
                  .formatted(round + 1, replay.seconds(), bare.seconds(), answers));
    }
    return List.of(
        Figure.atLeast(MUST_LINES_A_SECOND, "lines replayed", "lines/s", rate),
        Figure.of("CPU", "s per million transactions", cpu),
        Figure.of("CPU / bare reader's", "ratio", ratio),
        Figure.of("peak memory", "MB", memory));
  }

  /** Everything torn must be found with its verdict and token, and nothing else. */
  private static Answers check(List<KnownTear> tears, Path out) throws IOException {
    Answers answers = new Answers(tears);
    try (BufferedReader reader = Files.newBufferedReader(out)) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        JsonNode found = JSON.readTree(line);
        answers.declared(
            found.path("instance").asText(),
            found.path("verdict").asText(),
            found.path("token").asText());
      }
    }
    if (!answers.allRight()) {
      throw new WrongAnswerException("replay: " + answers);
    }
    return answers;
  }
}
