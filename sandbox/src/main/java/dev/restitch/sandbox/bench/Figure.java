package dev.restitch.sandbox.bench;

import java.util.Arrays;
import java.util.Locale;

/**
 * One measured figure: its samples, one a round.
 *
 * @param must what it has to reach, null: nothing is asked
 * @param atLeast true if more is better
 */
public record Figure(String name, String unit, double[] samples, Double must, boolean atLeast) {

  /** A figure of which nothing is asked. */
  public static Figure of(String name, String unit, double... samples) {
    return new Figure(name, unit, samples, null, true);
  }

  /** A figure that has to be so much or more. */
  public static Figure atLeast(double must, String name, String unit, double... samples) {
    return new Figure(name, unit, samples, must, true);
  }

  /** A figure that has to be so much or less. */
  public static Figure atMost(double must, String name, String unit, double... samples) {
    return new Figure(name, unit, samples, must, false);
  }

  /** The middle sample; of an even number the mean of the middle two. */
  public double median() {
    double[] sorted = samples.clone();
    Arrays.sort(sorted);
    int half = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  }

  /** The smallest sample. */
  public double least() {
    return Arrays.stream(samples).min().orElse(Double.NaN);
  }

  /** The greatest sample. */
  public double most() {
    return Arrays.stream(samples).max().orElse(Double.NaN);
  }

  /** Whether the median reaches what is asked; true if nothing is. */
  public boolean reached() {
    return must == null || (atLeast ? median() >= must : median() <= must);
  }

  /** What is asked, such as {@code >= 150,000}; empty if nothing is. */
  String asked() {
    return must == null ? "" : (atLeast ? ">= " : "<= ") + number(must);
  }

  static String number(double value) {
    if (Double.isNaN(value)) {
      return "-";
    }
    return Math.abs(value) >= 100
        ? String.format(Locale.ROOT, "%,.0f", value)
        : String.format(Locale.ROOT, "%.3g", value);
  }
}
