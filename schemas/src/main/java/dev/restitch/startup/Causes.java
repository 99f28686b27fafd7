package dev.restitch.startup;

import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** Says errors and durations in one line. */
final class Causes {

  private Causes() {}

  /** The error and, where it says more, its root cause; one line, never a stack trace. */
  static String inWords(Throwable error) {
    Throwable top = error;
    while ((top instanceof ExecutionException || top instanceof CompletionException)
        && top.getCause() != null) {
      top = top.getCause();
    }
    Throwable root = top;
    while (root.getCause() != null && root.getCause() != root) {
      root = root.getCause();
    }
    String first = line(top);
    return root == top || first.contains(line(root)) ? first : first + " (" + line(root) + ")";
  }

  private static String line(Throwable error) {
    String message = error.getMessage();
    if (message == null || message.isBlank()) {
      return error.getClass().getSimpleName();
    }
    return message.strip().replaceAll("\\s*\\R\\s*", " ").replaceAll("\\.$", "");
  }

  static String inWords(Duration duration) {
    return duration.toString().substring(2).toLowerCase(Locale.ROOT);
  }
}
