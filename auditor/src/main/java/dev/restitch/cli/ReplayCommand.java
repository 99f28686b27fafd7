package dev.restitch.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.restitch.config.Relations;
import dev.restitch.config.RestitchConfig;
import dev.restitch.judge.Decision.Counter;
import dev.restitch.model.Verdict;
import dev.restitch.recorded.LiveIncidents;
import dev.restitch.recorded.Recording;
import dev.restitch.recorded.Window;
import dev.restitch.replay.HistoryException;
import dev.restitch.replay.IncidentJson;
import dev.restitch.replay.Replay;
import dev.restitch.replay.ReplayTotals;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code restitch replay}: the same judge, over a history file or a window of the topics. */
@Command(
    name = "replay",
    description = {
      "Judges what was recorded again, and prints the incidents that the configuration declares.",
      "Over a history file (--history), or over the topics (--from, --to), read beside the live"
          + " system without disturbing it; then it also says how that differs from what was"
          + " declared live."
    })
final class ReplayCommand implements Callable<Integer> {

  private static final List<Counter> REPORTED =
      List.of(
          Counter.INTENTS_DISAGREE,
          Counter.SMALLER_INTENT,
          Counter.VERSION_REGRESSION,
          Counter.STALE_OUTCOME,
          Counter.TRANSACTIONS_OVER_LIMIT,
          Counter.VERDICT_NOT_DECLARED);

  @Spec private CommandSpec spec;
  @Mixin private ConfigOption config;
  @Mixin private OutputOption output;
  @Mixin private WindowOptions options;

  @Option(
      names = "--history",
      paramLabel = "FILE",
      description = "Replay this history file (JSON lines, as export writes them), and no topics.")
  private Path history;

  @Option(
      names = "--lenient",
      description =
          "Skip broken lines: they are counted and written to FILE.rejected; exit code 1.")
  private boolean lenient;

  @Override
  public Integer call() throws IOException, InterruptedException {
    RestitchConfig loaded = config.load(spec);
    if (history == null) {
      return replayTopics(loaded);
    }
    if (options.given()) {
      throw new ParameterException(
          spec.commandLine(), "--history and --from exclude each other: a file, or the topics");
    }
    if (!Files.isReadable(history)) {
      throw new ParameterException(
          spec.commandLine(), "cannot read the history file " + history + ": is the path right?");
    }
    PrintWriter err = spec.commandLine().getErr();
    Replay replay = new Replay(loaded);
    List<Replay.Found> found;
    try {
      found = lenient ? runLenient(replay, err) : replay.run(history, null, progress(err));
    } catch (HistoryException e) {
      err.println(history + ": " + e.getMessage());
      return ExitCodes.USAGE;
    }
    print(found, loaded.resolver());
    summary(err, found.size(), replay.totals());
    return exitCode(found, replay.totals());
  }

  private int replayTopics(RestitchConfig loaded) throws IOException, InterruptedException {
    if (!options.given()) {
      throw new ParameterException(
          spec.commandLine(), "say what to replay: --history FILE, or --from TIME for the topics");
    }
    Window window = options.window(spec, loaded);
    PrintWriter err = spec.commandLine().getErr();
    Path file = Files.createTempFile("restitch-replay-", ".jsonl");
    try {
      int complete = ExportCommand.summary(err, Recording.write(loaded, window, file));
      Replay replay = new Replay(loaded);
      List<Replay.Found> found = replay.run(file, null, bytes -> {});
      print(found, loaded.resolver());
      summary(err, found.size(), replay.totals());
      new Differences(found, LiveIncidents.within(loaded, window)).print(err);
      err.println("what the judge remembered from before --from is not known to this replay");
      int code = exitCode(found, replay.totals());
      return code == ExitCodes.OK ? complete : code;
    } catch (HistoryException e) {
      err.println("error: a record of the topics cannot be judged: " + e.getMessage());
      return ExitCodes.ERROR;
    } finally {
      Files.deleteIfExists(file);
    }
  }

  private List<Replay.Found> runLenient(Replay replay, PrintWriter err) throws IOException {
    Path side = history.resolveSibling(history.getFileName() + ".rejected");
    try (RejectedLines rejected = new RejectedLines(side)) {
      return replay.run(history, rejected::add, progress(err));
    }
  }

  private java.util.function.Consumer<Long> progress(PrintWriter err) throws IOException {
    return new ProgressLines(err, "replayed", Files.size(history))::at;
  }

  private void print(List<Replay.Found> found, Relations relations) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    if (output.json()) {
      for (Replay.Found f : found) {
        StringBuilder text = new StringBuilder(256);
        try (JsonGenerator json = IncidentJson.generator(text)) {
          IncidentJson.write(json, f.instance(), f.incident(), relations);
        }
        out.println(text);
      }
    } else {
      Table table = new Table("INSTANCE", "VERDICT", "TOKEN", "BEHIND", "AT", "STATE", "ACTION");
      for (Replay.Found f : found) {
        table.row(
            f.instance(),
            f.incident().verdict,
            f.incident().stamp == null ? "" : f.incident().stamp.token(),
            IncidentJson.names(f.incident().behind, relations),
            f.incident().declaredAt,
            f.incident().phase,
            f.incident().action);
      }
      table.print(out);
    }
    out.flush();
  }

  private static void summary(PrintWriter err, int incidents, ReplayTotals totals) {
    err.printf(
        "lines %d, incidents %d, whole %d, superseded %d, not applied %d, undecided %d, asks %d%n",
        totals.lines,
        incidents,
        totals.settled(Verdict.WHOLE),
        totals.settled(Verdict.SUPERSEDED),
        totals.settled(Verdict.NOT_APPLIED),
        totals.count(Counter.UNDECIDED),
        totals.asks);
    totals
        .consistency()
        .forEach((relation, measure) -> err.println(ConsistencyText.line(relation, measure)));
    count(err, "lines for keys of no relation", totals.undeclared);
    count(err, "keys of no relation in other lines", totals.undeclaredKeys);
    count(err, "lines that give a stamp to a key without one", totals.contradictions);
    count(err, "lines whose time is before an earlier line's", totals.late);
    count(err, "broken lines skipped", totals.broken);
    for (Counter counter : REPORTED) {
      count(err, counter.name().toLowerCase(Locale.ROOT).replace('_', ' '), totals.count(counter));
    }
    err.flush();
  }

  private static void count(PrintWriter err, String what, long n) {
    if (n > 0) {
      err.printf("%s: %d%n", what, n);
    }
  }

  private static int exitCode(List<Replay.Found> found, ReplayTotals totals) {
    if (totals.broken > 0) {
      return ExitCodes.ERROR;
    }
    if (!found.isEmpty()) {
      return ExitCodes.INCIDENTS;
    }
    return totals.count(Counter.UNDECIDED) > 0 ? ExitCodes.INCOMPLETE : ExitCodes.OK;
  }
}
