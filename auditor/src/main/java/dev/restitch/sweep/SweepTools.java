package dev.restitch.sweep;

import dev.restitch.config.Relations;
import dev.restitch.config.Relations.Side;
import dev.restitch.read.SideReader;
import java.util.function.Predicate;

/**
 * What the sweeps of one thread work with.
 *
 * @param compared when each instance was last compared; shared by all threads
 * @param told what was published, with how it looked; shared by all threads
 * @param wanted the sides to look at; others count as undeclared
 */
record SweepTools(
    Relations relations,
    SideReader reader,
    Pipes pipes,
    Recollection compared,
    Recollection told,
    Suspicions suspicions,
    Predicate<Side> wanted) {

  /** Instances that are compared once a sweep only; beyond it, up to once a side. */
  static final int COMPARED = 1 << 20;

  /** Suspicions remembered. */
  static final int TOLD = 1 << 17;
}
