package dev.restitch.control;

import dev.restitch.control.Scope.Kind;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** What can be set through the topic of controls, where, and to which values. */
public enum Setting {
  /** No repair while on. */
  PAUSE("pause", EnumSet.of(Kind.EVERYWHERE, Kind.STORE, Kind.RELATION), Values.SWITCH),

  /** Repairs are only told, not made, while on. */
  DRY_RUN("dry-run", EnumSet.of(Kind.EVERYWHERE, Kind.STORE, Kind.RELATION), Values.SWITCH),

  /** Repairs a second, of all workers together; {@code off}: as configured. */
  RATE("rate", EnumSet.of(Kind.EVERYWHERE, Kind.STORE, Kind.RELATION), Values.NUMBER),

  /** Repairs in progress at a time, of each worker; {@code off}: as configured. */
  CONCURRENCY("concurrency", EnumSet.of(Kind.EVERYWHERE, Kind.STORE, Kind.RELATION), Values.NUMBER),

  /** Allows one verdict's repair of an incident: {@code VERDICT policy}; {@code off}: no more. */
  APPROVE("approve", EnumSet.of(Kind.INCIDENT), Values.PROPOSAL),

  /** An incident is not to be repaired while on. */
  DISCARD("discard", EnumSet.of(Kind.INCIDENT), Values.SWITCH),

  /** An incident, or all that a rule names, is known and not to be shown or repaired while on. */
  SUPPRESS("suppress", EnumSet.of(Kind.INCIDENT, Kind.RULE), Values.SWITCH),

  /** Too much was torn: no repair until a person resets it. */
  BRAKE("brake", EnumSet.of(Kind.STORE), Values.SWITCH),

  /** A primary is changing or a gap is open: no repair until its auditor covers it again. */
  BLIND("blind", EnumSet.of(Kind.NODE), Values.SWITCH);

  /** Kinds of values. */
  enum Values {
    SWITCH,
    NUMBER,
    PROPOSAL
  }

  private final String label;
  private final Set<Kind> scopes;
  private final Values values;

  Setting(String label, Set<Kind> scopes, Values values) {
    this.label = label;
    this.scopes = scopes;
    this.values = values;
  }

  /** The name in records, configuration and output. */
  public String label() {
    return label;
  }

  /** The setting of this name. */
  public static Optional<Setting> of(String label) {
    return Arrays.stream(values()).filter(s -> s.label.equals(label)).findFirst();
  }

  /** True if it can be set there. */
  public boolean allows(Kind kind) {
    return scopes.contains(kind);
  }

  Values takes() {
    return values;
  }
}
