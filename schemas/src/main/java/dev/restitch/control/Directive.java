package dev.restitch.control;

import java.util.Objects;
import java.util.regex.Pattern;

/**
 * One setting, by whom and why. The newest of a {@link #key} holds.
 *
 * @param value {@code on} or {@code off}, a number or {@code off}, or {@code VERDICT policy} or
 *     {@code off}, as the setting wants
 * @param owner who set it
 * @param cause why
 * @param atMillis when, by the clock of who set it; information only
 */
public record Directive(
    Setting setting, Scope scope, String value, String owner, String cause, long atMillis) {

  /** The value of a switch that is on. */
  public static final String ON = "on";

  /** The value of a setting that does not hold any more. */
  public static final String OFF = "off";

  private static final Pattern NUMBER = Pattern.compile("[1-9][0-9]{0,6}");
  private static final Pattern PROPOSAL = Pattern.compile("[A-Z_]+ [a-z-]+");
  private static final int LONGEST = 500;

  public Directive {
    Objects.requireNonNull(setting, "setting");
    Objects.requireNonNull(scope, "scope");
    Objects.requireNonNull(value, "value");
    Objects.requireNonNull(owner, "owner");
    Objects.requireNonNull(cause, "cause");
  }

  /**
   * Checks what a person asks for.
   *
   * @throws IllegalArgumentException with what is wrong
   */
  public Directive validated() {
    if (!setting.allows(scope.kind())) {
      throw new IllegalArgumentException(
          setting.label()
              + " cannot be set "
              + (scope.equals(Scope.EVERYWHERE) ? "everywhere" : "for " + scope));
    }
    boolean fits =
        value.equals(OFF)
            || switch (setting.takes()) {
              case SWITCH -> value.equals(ON);
              case NUMBER -> NUMBER.matcher(value).matches();
              case PROPOSAL -> PROPOSAL.matcher(value).matches();
            };
    if (!fits) {
      throw new IllegalArgumentException(setting.label() + " cannot be " + value);
    }
    require("owner", owner);
    require("cause", cause);
    return this;
  }

  private static void require(String what, String text) {
    if (text.isBlank()) {
      throw new IllegalArgumentException("every change needs its " + what);
    }
    if (text.length() > LONGEST || text.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(
          what + " must be one line of at most " + LONGEST + " characters");
    }
  }

  /** True if it holds: not {@code off}. */
  public boolean on() {
    return !value.equals(OFF);
  }

  /** The record's key in the topic of controls. */
  public String key() {
    return key(setting, scope);
  }

  /** The key of a setting and where it holds. */
  public static String key(Setting setting, Scope scope) {
    return scope.equals(Scope.EVERYWHERE) ? setting.label() : setting.label() + "/" + scope;
  }
}
