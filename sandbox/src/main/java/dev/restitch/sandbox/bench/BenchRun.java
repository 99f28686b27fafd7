package dev.restitch.sandbox.bench;

import dev.restitch.sandbox.bench.drain.DrainOptions;
import dev.restitch.sandbox.server.Lifetime;
import java.nio.file.Path;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What a suite is told.
 *
 * @param lifetime owns what must not outlive the run, also when a person ends it
 * @param folder for its files; removed afterwards
 * @param rounds how often product and peers are run in turn
 * @param size transactions or keys, as the suite counts; 0: the suite's own
 * @param seed of all that is random
 * @param progress takes lines for people
 * @param versions takes the names and versions of what is measured beside the product's own
 * @param drain what contenders drain, in the suites about the judge
 */
public record BenchRun(
    Lifetime lifetime,
    Path folder,
    int rounds,
    long size,
    long seed,
    Consumer<String> progress,
    Set<String> versions,
    DrainOptions drain) {

  /** The size asked for, or the suite's own. */
  public long sizeOr(long own) {
    return size > 0 ? size : own;
  }
}
