package dev.restitch.watch;

/** How fast a count rises: from the last sample to the one before. Thread-safe. */
final class Rate {

  private long lastAtMillis;
  private long lastCount;
  private double perSecond;

  /** The count at a moment; the first one tells no rate. */
  synchronized void at(long nowMillis, long count) {
    long elapsed = nowMillis - lastAtMillis;
    if (lastAtMillis > 0 && elapsed > 0) {
      perSecond = (count - lastCount) * 1_000.0 / elapsed;
    }
    if (lastAtMillis == 0 || elapsed > 0) {
      lastAtMillis = nowMillis;
      lastCount = count;
    }
  }

  synchronized double perSecond() {
    return perSecond;
  }
}
