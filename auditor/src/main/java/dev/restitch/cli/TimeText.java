package dev.restitch.cli;

import dev.restitch.config.Durations;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A moment: an instant of ISO 8601, {@code now}, or a time back from now such as {@code -2h}. */
final class TimeText implements ITypeConverter<Instant> {

  @Override
  public Instant convert(String text) {
    return parse(text, Instant.now());
  }

  static Instant parse(String text, Instant now) {
    try {
      if (text.equals("now")) {
        return now;
      }
      return text.startsWith("-")
          ? now.minus(Durations.parse(text.substring(1)))
          : Instant.parse(text);
    } catch (DateTimeParseException | IllegalArgumentException e) {
      throw new TypeConversionException(
          "'"
              + text
              + "' is no time; write an instant such as 2026-05-04T03:00:00Z, or a time back from"
              + " now such as -2h");
    }
  }
}
