package dev.restitch.sandbox.bench.drain;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** What the topics that the contenders drain look like. */
public final class DrainOptions {

  private static final int MOST_SIDES = 16;
  private static final int MOST_PARTITIONS = 64;
  private static final int LARGEST_VALUE = 1_000_000;

  @Option(
      names = "--open",
      defaultValue = "10000",
      paramLabel = "N",
      description = "judge: transactions open at once (default: ${DEFAULT-VALUE}).")
  private int open = 10_000;

  @Option(
      names = "--partitions",
      defaultValue = "1",
      paramLabel = "N",
      description = "judge: partitions of each topic (default: ${DEFAULT-VALUE}).")
  private int partitions = 1;

  @Option(
      names = "--sides",
      defaultValue = "2",
      paramLabel = "N",
      description = "judge: sides of a transaction (default: ${DEFAULT-VALUE}).")
  private int sides = 2;

  @Option(
      names = "--value-size",
      defaultValue = "100",
      paramLabel = "BYTES",
      description =
          "judge: size of the values written; with intents, they carry one of them"
              + " (default: ${DEFAULT-VALUE}).")
  private int valueSize = 100;

  @Option(names = "--intents", description = "judge: writers send intents, with their payloads.")
  private boolean intents;

  @Option(
      names = "--contenders",
      split = ",",
      paramLabel = "NAME",
      description = "judge: who takes part, such as pass-through,judge (default: all).")
  private List<String> contenders = new ArrayList<>();

  @Option(
      names = "--kill",
      description = "judge: kill it once more at full load, and compare its answers after that.")
  private boolean kill;

  @Option(
      names = "--jvm-option",
      paramLabel = "OPTION",
      description = "judge: handed to each contender's JVM, such as a recording's.")
  private List<String> jvmOptions = new ArrayList<>();

  int open() {
    return open;
  }

  int partitions() {
    return partitions;
  }

  int sides() {
    return sides;
  }

  int valueSize() {
    return valueSize;
  }

  boolean intents() {
    return intents;
  }

  List<Contender> contenders() {
    return contenders.isEmpty()
        ? List.of(Contender.values())
        : contenders.stream().map(Contender::named).toList();
  }

  boolean kill() {
    return kill;
  }

  List<String> jvmOptions() {
    return List.copyOf(jvmOptions);
  }

  /**
   * Looks at the values.
   *
   * @throws IllegalArgumentException that says which is wrong, and what would be right
   */
  public void check() {
    within("--open", open, 1, 10_000_000);
    within("--partitions", partitions, 1, MOST_PARTITIONS);
    within("--sides", sides, 2, MOST_SIDES);
    within("--value-size", valueSize, 1, LARGEST_VALUE);
    contenders();
  }

  private static void within(String name, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          "%s must be %,d to %,d, not %,d".formatted(name, least, most, value));
    }
  }
}
