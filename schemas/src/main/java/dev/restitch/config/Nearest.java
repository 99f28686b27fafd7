package dev.restitch.config;

import java.util.Collection;
import java.util.Optional;

/** Finds the known name that a mistyped one was meant to be. */
public final class Nearest {

  private Nearest() {}

  /** The nearest name; empty if none is near. */
  static Optional<String> to(String typed, Collection<String> known) {
    String best = null;
    int least = Math.max(2, typed.length() / 3) + 1;
    for (String name : known) {
      int distance = distance(typed, name);
      if (distance < least && distance < Math.max(typed.length(), name.length())) {
        least = distance;
        best = name;
      }
    }
    return Optional.ofNullable(best);
  }

  /** A sentence's end: the nearest name, or all of them. */
  static String hint(String typed, Collection<String> known) {
    if (known.isEmpty()) {
      return "none is declared";
    }
    return to(typed, known)
        .map(name -> "did you mean '" + name + "'?")
        .orElseGet(() -> "known are " + String.join(", ", known));
  }

  /** Levenshtein's distance, ignoring case. */
  public static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int above = row[j];
        boolean same =
            Character.toLowerCase(a.charAt(i - 1)) == Character.toLowerCase(b.charAt(j - 1));
        row[j] = Math.min(Math.min(row[j], row[j - 1]) + 1, diagonal + (same ? 0 : 1));
        diagonal = above;
      }
    }
    return row[b.length()];
  }
}
