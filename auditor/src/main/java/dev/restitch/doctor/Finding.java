package dev.restitch.doctor;

import java.util.Objects;

/**
 * One thing that was looked at.
 *
 * @param check what was looked at, such as {@code notifications}
 * @param where a store and node, a topic, a source
 * @param what how it is, and what that means
 * @param mend the command that mends it, or, where no command can, what to do; null where there is
 *     nothing to mend
 * @param changed what was changed to mend it; null: nothing
 */
public record Finding(
    String check, String where, Severity severity, String what, String mend, String changed) {

  public Finding {
    Objects.requireNonNull(check, "check");
    Objects.requireNonNull(where, "where");
    Objects.requireNonNull(severity, "severity");
    Objects.requireNonNull(what, "what");
  }

  static Finding ok(String check, String where, String what) {
    return new Finding(check, where, Severity.OK, what, null, null);
  }

  static Finding warning(String check, String where, String what, String mend) {
    return new Finding(check, where, Severity.WARNING, what, mend, null);
  }

  static Finding error(String check, String where, String what, String mend) {
    return new Finding(check, where, Severity.ERROR, what, mend, null);
  }

  Finding after(String change) {
    return new Finding(check, where, severity, what, mend, change);
  }
}
