package dev.restitch.config;

/** Binds {@code sweep}. */
final class SweepBinder {

  private static final int MOST = 10_000_000;

  private SweepBinder() {}

  static SweepConfig bind(Section root) {
    Section sweep =
        root.child("sweep", "rate", "gap-rate", "every", "latency", "memory", "pause-limit");
    SweepConfig usual = SweepConfig.DEFAULT;
    return new SweepConfig(
        Values.integer(sweep, "rate", usual.rate(), 0, MOST),
        Values.integer(sweep, "gap-rate", usual.gapRate(), 1, MOST),
        Values.duration(sweep, "every", usual.every()),
        Values.duration(sweep, "latency", usual.latency()),
        Values.share(sweep, "memory", usual.memory()),
        Values.duration(sweep, "pause-limit", usual.pauseLimit()));
  }
}
