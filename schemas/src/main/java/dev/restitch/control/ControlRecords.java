package dev.restitch.control;

import dev.restitch.avro.Control;

/** Makes settings of the topic's records, and records of settings. Stateless. */
public final class ControlRecords {

  private ControlRecords() {}

  /**
   * The setting that a record makes.
   *
   * @throws IllegalArgumentException if this version does not know it, with what is wrong
   */
  public static Directive read(Control record) {
    Setting setting =
        Setting.of(record.getSetting())
            .orElseThrow(
                () -> new IllegalArgumentException("no such setting: " + record.getSetting()));
    return new Directive(
            setting,
            Scope.parse(record.getScope()),
            record.getValue() == null ? Directive.OFF : record.getValue(),
            record.getOwner(),
            record.getCause(),
            record.getAtMillis())
        .validated();
  }

  /** The record of a setting. */
  public static Control write(Directive directive) {
    return Control.newBuilder()
        .setSetting(directive.setting().label())
        .setScope(directive.scope().equals(Scope.EVERYWHERE) ? null : directive.scope().toString())
        .setValue(directive.value())
        .setOwner(directive.owner())
        .setCause(directive.cause())
        .setAtMillis(directive.atMillis())
        .build();
  }
}
