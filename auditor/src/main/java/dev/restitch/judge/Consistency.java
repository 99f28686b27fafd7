package dev.restitch.judge;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * The consistency measure of one relation (MODEL.md, section 4): of the transactions that took
 * effect, how many were whole within 1 s, 15 s, 1 min and 5 min of the first evidence of their
 * effect. A transaction that spans instances counts once in each, since each is judged alone. One
 * that is not whole yet counts once it is older than the longest limit. Immutable.
 */
public final class Consistency {

  /** The limits, shortest first. */
  public static final List<Duration> LIMITS =
      List.of(
          Duration.ofSeconds(1),
          Duration.ofSeconds(15),
          Duration.ofMinutes(1),
          Duration.ofMinutes(5));

  /** The limits' names, in the same order. */
  public static final List<String> LIMIT_NAMES = List.of("1s", "15s", "1m", "5m");

  /** What is not whole after this long, in milliseconds, is counted as never whole. */
  static final long LONGEST_MILLIS = LIMITS.get(LIMITS.size() - 1).toMillis();

  /** Of nothing. */
  public static final Consistency NONE = new Consistency(0, new long[LIMITS.size()]);

  private final long sample;
  private final long[] whole;

  private Consistency(long sample, long[] whole) {
    this.sample = sample;
    this.whole = whole;
  }

  /** Of counts kept elsewhere: the sample size, then whole within each limit. */
  public static Consistency of(long sample, long... whole) {
    if (whole.length != LIMITS.size()) {
      throw new IllegalArgumentException("a count for each of " + LIMITS + " is needed");
    }
    return new Consistency(sample, whole.clone());
  }

  /** With one more decision of the judge; this, unless the decision is part of the measure. */
  public Consistency plus(Decision decision) {
    if (decision instanceof Decision.Settled s && s.lagMillis() >= 0) {
      return plus(s.lagMillis());
    }
    return decision instanceof Decision.NotWhole ? plus(Long.MAX_VALUE) : this;
  }

  private Consistency plus(long lagMillis) {
    long[] more = whole.clone();
    for (int i = 0; i < more.length; i++) {
      if (lagMillis <= LIMITS.get(i).toMillis()) {
        more[i]++;
      }
    }
    return new Consistency(sample + 1, more);
  }

  /** The sum of two samples. */
  public Consistency plus(Consistency other) {
    long[] sum = whole.clone();
    Arrays.setAll(sum, i -> sum[i] + other.whole[i]);
    return new Consistency(sample + other.sample, sum);
  }

  /** How many transactions were counted. */
  public long sample() {
    return sample;
  }

  /** How many of them were whole within a limit, by its place in {@link #LIMITS}. */
  public long wholeWithin(int limit) {
    return whole[limit];
  }

  /** The share whole within a limit, 0 to 1; NaN of an empty sample. */
  public double share(int limit) {
    return sample == 0 ? Double.NaN : (double) whole[limit] / sample;
  }

  /**
   * The share in nines: minus the decimal logarithm of the share that was not whole, so that 3 is
   * 99.9 %. Where every transaction was whole, the sample bounds what can be said: the logarithm of
   * its size is given, and the truth may be better. NaN of an empty sample.
   */
  public double nines(int limit) {
    long failed = Math.max(1, sample - whole[limit]);
    return sample == 0 ? Double.NaN : Math.log10((double) sample / failed) + 0.0;
  }

  /** True if every transaction of the sample was whole in time, so that the sample bounds it. */
  public boolean boundedBySample(int limit) {
    return sample == whole[limit];
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof Consistency c && c.sample == sample && Arrays.equals(c.whole, whole);
  }

  @Override
  public int hashCode() {
    return 31 * Long.hashCode(sample) + Arrays.hashCode(whole);
  }

  @Override
  public String toString() {
    return sample + " transactions, whole within " + LIMIT_NAMES + ": " + Arrays.toString(whole);
  }
}
