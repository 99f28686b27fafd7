package dev.restitch.doctor;

import java.util.Locale;

/** How bad a finding is. */
public enum Severity {
  /** As it should be. */
  OK,
  /** The audit runs, but may miss something, or what it promises rests on something weak. */
  WARNING,
  /** The audit cannot do its work. */
  ERROR;

  /** In lower case. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
