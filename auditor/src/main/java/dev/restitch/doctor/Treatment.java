package dev.restitch.doctor;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leave to change what can be mended without harm: notification flags are added, and missing topics
 * made. Every change is logged with its owner and cause, under the logger {@code
 * restitch.operations}.
 *
 * @param owner who changes
 * @param cause why
 */
public record Treatment(String owner, String cause) {

  private static final Logger log = LoggerFactory.getLogger("restitch.operations");

  public Treatment {
    if (owner.isBlank() || cause.isBlank()) {
      throw new IllegalArgumentException("a change has an owner and a cause");
    }
  }

  void changed(String where, String what) {
    log.atInfo()
        .addKeyValue("where", where)
        .addKeyValue("change", what)
        .addKeyValue("owner", owner)
        .addKeyValue("cause", cause)
        .log("changed by the doctor");
  }

  void failed(String where, String what, String error) {
    log.atWarn()
        .addKeyValue("where", where)
        .addKeyValue("change", what)
        .addKeyValue("error", error)
        .addKeyValue("owner", owner)
        .addKeyValue("cause", cause)
        .log("a change by the doctor failed");
  }
}
