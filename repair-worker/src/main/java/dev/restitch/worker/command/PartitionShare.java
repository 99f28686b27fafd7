package dev.restitch.worker.command;

import java.util.function.DoubleSupplier;

/**
 * The part of all commands that this worker is given: its part of the partitions of the topic of
 * repairs. As every partition belongs to one worker at most, the parts of all workers never add up
 * to more than one, whoever comes or goes. Thread-safe.
 */
public final class PartitionShare implements DoubleSupplier {

  private volatile double share = 1;
  private volatile boolean any;
  private volatile Runnable listener = () -> {};

  /** Calls back after each change. */
  public void onChange(Runnable listener) {
    this.listener = listener;
  }

  /**
   * Takes note of what this worker has.
   *
   * @param all partitions of the topic; zero: not known
   */
  void has(int mine, int all) {
    any = mine > 0;
    if (any && all > 0) {
      share = Math.min(1.0, (double) mine / all);
    }
    listener.run();
  }

  /** Some partitions are gone; what waits for its turn is looked at anew. */
  void lost() {
    any = false;
    listener.run();
  }

  /** True while this worker takes part in the work. */
  public boolean taking() {
    return any;
  }

  @Override
  public double getAsDouble() {
    return share;
  }
}
