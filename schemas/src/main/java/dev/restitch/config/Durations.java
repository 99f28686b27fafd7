package dev.restitch.config;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Durations as people write them: {@code 250ms}, {@code 2s}, {@code 1m}, {@code 1h}, {@code 7d}.
 */
public final class Durations {

  private static final Pattern FORM = Pattern.compile("(\\d{1,15})(ms|s|m|h|d)");

  /** Milliseconds of each unit, the greatest first. */
  private static final Map<String, Long> UNITS = new LinkedHashMap<>();

  static {
    UNITS.put("d", 86_400_000L);
    UNITS.put("h", 3_600_000L);
    UNITS.put("m", 60_000L);
    UNITS.put("s", 1_000L);
    UNITS.put("ms", 1L);
  }

  private Durations() {}

  /**
   * Reads a duration: a whole number and its unit.
   *
   * @throws IllegalArgumentException with a sentence that says what would be right
   */
  public static Duration parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "'"
              + text
              + "' is not a duration; write a whole number and its unit, such as 250ms, 2s,"
              + " 1m, 1h or 7d");
    }
    try {
      long units = Long.parseLong(matcher.group(1));
      return Duration.ofMillis(Math.multiplyExact(units, UNITS.get(matcher.group(2))));
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException("'" + text + "' is too long a duration", e);
    }
  }

  /** Writes a duration in the greatest unit that needs no fraction; under a millisecond is cut. */
  public static String format(Duration duration) {
    long millis = duration.toMillis();
    for (Map.Entry<String, Long> unit : UNITS.entrySet()) {
      if (millis != 0 && millis % unit.getValue() == 0) {
        return millis / unit.getValue() + unit.getKey();
      }
    }
    return "0s";
  }
}
