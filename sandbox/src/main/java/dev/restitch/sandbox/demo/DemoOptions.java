package dev.restitch.sandbox.demo;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;

/**
 * What a demo is asked to do.
 *
 * @param rate logical writes a second
 * @param duration of the workload
 * @param tearRate share of the writes that are torn on purpose
 * @param instances instances a relation
 * @param kill services that are killed half-way
 * @param patience how long the end waits for tears that are not yet mended
 * @param logs where the services' logs go; null: into the temporary folder
 */
record DemoOptions(
    int rate,
    Duration duration,
    double tearRate,
    long seed,
    int instances,
    Set<String> kill,
    Duration patience,
    Path logs) {

  /** Logical writes in all. */
  int acts() {
    return (int) Math.min(Integer.MAX_VALUE, Math.round(rate * (duration.toMillis() / 1e3)));
  }

  /** Tears in all. */
  int tears() {
    return (int) Math.round(acts() * tearRate);
  }
}
