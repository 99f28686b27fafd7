package dev.restitch.cli;

import dev.restitch.config.RestitchConfig;
import dev.restitch.key.InstanceName;
import dev.restitch.recorded.Window;
import java.time.Instant;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Predicate;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Which part of the topics is read, and how fast. */
final class WindowOptions {

  @Option(
      names = "--from",
      paramLabel = "TIME",
      converter = TimeText.class,
      description =
          "Read what was recorded from then on: an instant such as 2026-05-04T03:00:00Z, or a time"
              + " back from now such as -2h.")
  private Instant from;

  @Option(
      names = "--to",
      paramLabel = "TIME",
      converter = TimeText.class,
      description = "Up to then (default: now).")
  private Instant to;

  @Option(names = "--relation", paramLabel = "R", description = "Only instances of this relation.")
  private String relation;

  @Option(
      names = "--instance",
      paramLabel = "I",
      description = "Only this instance, such as user/123.")
  private String instance;

  @Option(
      names = "--rate",
      paramLabel = "N",
      defaultValue = "20000",
      description = "Read at most so many records a second (default: ${DEFAULT-VALUE}).")
  private int rate;

  /** True if a window is asked for. */
  boolean given() {
    return from != null;
  }

  /**
   * The window.
   *
   * @throws ParameterException if it cannot be
   */
  Window window(CommandSpec spec, RestitchConfig config) {
    Map<String, ?> relations = config.relations();
    Instant end = to == null ? Instant.now() : to;
    if (from == null) {
      throw wrong(spec, "--from is missing: say from when on, such as --from -2h");
    }
    if (!from.isBefore(end)) {
      throw wrong(spec, "--from (" + from + ") is not before --to (" + end + ")");
    }
    if (rate < 1) {
      throw wrong(spec, "--rate must be 1 or more");
    }
    checkRelation(spec, "--relation", relation, relations);
    checkRelation(
        spec, "--instance", instance == null ? null : InstanceName.relation(instance), relations);
    return new Window(from.toEpochMilli(), end.toEpochMilli(), wanted(), rate);
  }

  private Predicate<String> wanted() {
    return name ->
        (relation == null || InstanceName.relation(name).equals(relation))
            && (instance == null || name.equals(instance));
  }

  private static void checkRelation(
      CommandSpec spec, String option, String name, Map<String, ?> relations) {
    if (name != null && !relations.containsKey(name)) {
      throw wrong(
          spec,
          option
              + ": there is no relation '"
              + name
              + "'; known are "
              + new TreeSet<>(relations.keySet()));
    }
  }

  private static ParameterException wrong(CommandSpec spec, String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
