package dev.restitch.worker.command;

import dev.restitch.avro.Outcome;
import dev.restitch.avro.RepairCommand;
import dev.restitch.worker.apply.Change;
import dev.restitch.worker.policy.Repair;
import java.util.List;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Who repaired what, why, and with what result; apart from the debug log, under the logger {@code
 * restitch.operations}. Stamps, never payloads.
 */
final class OperationsLog {

  private static final Logger log = LoggerFactory.getLogger("restitch.operations");

  private final String worker;

  OperationsLog(String worker) {
    this.worker = worker;
  }

  /** A command has its outcome. */
  void outcome(RepairCommand command, Repair repair) {
    entry(command, repair).log("repair");
  }

  /** A second look at a repair has its result. */
  void secondLook(RepairCommand command, Repair repair) {
    entry(command, repair).log("second look at a repair");
  }

  private LoggingEventBuilder entry(RepairCommand command, Repair repair) {
    Level level = repair.outcome() == Outcome.FAILED ? Level.WARN : Level.INFO;
    return log.atLevel(level)
        .addKeyValue("command", command.getId())
        .addKeyValue("incident", command.getIncident())
        .addKeyValue("instance", command.getInstance())
        .addKeyValue("verdict", command.getVerdict())
        .addKeyValue("policy", command.getPolicy())
        .addKeyValue("attempt", command.getAttempt())
        .addKeyValue("outcome", repair.outcome())
        .addKeyValue("detail", repair.detail())
        .addKeyValue("before", list(repair, change -> change.before().toString()))
        .addKeyValue("after", list(repair, OperationsLog::after))
        .addKeyValue("worker", worker);
  }

  private static String after(Change change) {
    return change.stands() ? change.target() : change.before().toString();
  }

  private static List<String> list(Repair repair, Function<Change, String> word) {
    return repair.changes().stream().map(c -> c.key() + "=" + word.apply(c)).toList();
  }
}
