package dev.restitch.worker.command;

import dev.restitch.avro.RepairCommand;
import dev.restitch.operations.OperationsJournal;
import dev.restitch.worker.apply.Change;
import dev.restitch.worker.policy.Repair;
import java.util.List;
import java.util.function.Function;

/** Writes repairs to the operations log, with their stamps and never a payload. */
final class OperationsLog {

  private static final String OWNER = "restitch-judge";

  private final OperationsJournal journal;

  OperationsLog(OperationsJournal journal) {
    this.journal = journal;
  }

  /** A command has its outcome. */
  void outcome(RepairCommand command, Ending ending) {
    entry("repair", command, ending);
  }

  /** A second look at a repair has its result. */
  void secondLook(RepairCommand command, Ending ending) {
    entry("second-look", command, ending);
  }

  private void entry(String what, RepairCommand command, Ending ending) {
    Repair repair = ending.repair();
    journal
        .entry(what)
        .owner(OWNER)
        .cause(command.getVerdict() + ", incident " + command.getIncident())
        .with("command", command.getId())
        .with("incident", command.getIncident())
        .with("instance", command.getInstance())
        .with("verdict", command.getVerdict())
        .with("policy", command.getPolicy())
        .with("attempt", command.getAttempt())
        .with("generation", command.getGeneration())
        .with("outcome", repair.outcome())
        .with("hold", ending.hold() == null ? null : ending.hold().reason().label())
        .with("detail", repair.detail())
        .with("before", list(repair, change -> change.before().toString()))
        .with("after", list(repair, OperationsLog::after))
        .write();
  }

  private static String after(Change change) {
    return change.stands() ? change.target() : change.before().toString();
  }

  private static List<String> list(Repair repair, Function<Change, String> word) {
    return repair.changes().stream().map(c -> c.key() + "=" + word.apply(c)).toList();
  }
}
