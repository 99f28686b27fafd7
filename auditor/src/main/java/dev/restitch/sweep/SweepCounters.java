package dev.restitch.sweep;

import java.util.Arrays;

/**
 * What became of every scanned key, at one moment: {@code scanned} = the sum over all {@link Fate}s
 * + {@link #pending}.
 */
public final class SweepCounters {

  private final long scanned;
  private final long[] fates;

  SweepCounters(long scanned, long[] fates) {
    this.scanned = scanned;
    this.fates = fates.clone();
  }

  /** Keys that {@code SCAN} gave. */
  public long scanned() {
    return scanned;
  }

  /** Keys that ended so. */
  public long of(Fate fate) {
    return fates[fate.ordinal()];
  }

  /** Keys whose instance is still to be compared, looked at again or published. */
  public long pending() {
    return scanned - Arrays.stream(fates).sum();
  }

  /** Instances compared. */
  public long compared() {
    return of(Fate.WHOLE) + of(Fate.LEGACY) + of(Fate.GONE) + findings();
  }

  /** Instances whose sides disagreed, were missing or carried no stamp, twice. */
  public long findings() {
    return of(Fate.PUBLISHED) + of(Fate.KNOWN);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("scanned=" + scanned);
    for (Fate fate : Fate.values()) {
      text.append(' ').append(fate).append('=').append(of(fate));
    }
    return text.append(" pending=").append(pending()).toString();
  }
}
