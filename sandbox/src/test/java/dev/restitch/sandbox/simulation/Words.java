package dev.restitch.sandbox.simulation;

import dev.restitch.avro.RepairCommand;
import dev.restitch.judge.Decision;
import dev.restitch.judge.Evidence;
import dev.restitch.judge.Reading;
import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import dev.restitch.stamp.Stamp;
import java.util.stream.Collectors;

/** What the judge hears and says, short enough to be read. */
final class Words {

  private Words() {}

  static String of(Evidence evidence) {
    String at = " of " + (evidence.at() - Scheduler.START);
    if (evidence instanceof Evidence.IntentSeen e) {
      return "intent " + e.stamp() + " " + e.writes().keySet() + at;
    }
    if (evidence instanceof Evidence.DoneSeen e) {
      return "done " + e.stamp() + " " + e.results() + at;
    }
    if (evidence instanceof Evidence.Observed e) {
      return "observation " + reading(e.reading()) + at;
    }
    if (evidence instanceof Evidence.SnapshotSeen e) {
      return "snapshot "
          + e.seq()
          + (e.stable() ? " " : " unstable ")
          + e.readings().stream().map(Words::reading).collect(Collectors.joining(", "))
          + at;
    }
    if (evidence instanceof Evidence.OutcomeSeen e) {
      return "outcome " + e.outcome() + " of " + shortened(e.command()) + at;
    }
    if (evidence instanceof Evidence.GapSeen e) {
      return "gap of " + e.store() + at;
    }
    return "time" + at;
  }

  /** The answer to a command. */
  static String answer(Object answer) {
    return answer instanceof dev.restitch.avro.Reading r
        ? r.getState()
            + (r.getToken() == null ? "" : " " + r.getVersion() + ":" + Bytes.copyOf(r.getToken()))
        : answer instanceof dev.restitch.worker.apply.Change c
            ? c.kind() + ", where " + c.before() + " stood"
            : String.valueOf(answer);
  }

  private static String reading(Reading r) {
    return r.key() + "=" + (r.stamp() == null ? r.state() : r.stamp());
  }

  static String of(Decision.Ask ask) {
    return "asks " + ask.seq() + " for " + ask.keys() + ask.markers() + ": " + ask.reason();
  }

  static String of(RepairCommand c) {
    Stamp torn =
        new Stamp(c.getVersion(), c.getToken() == null ? Bytes.EMPTY : Bytes.copyOf(c.getToken()));
    return "commands "
        + shortened(c.getId())
        + " "
        + c.getPolicy()
        + " for "
        + c.getVerdict()
        + " of "
        + torn
        + ", behind "
        + c.getBehind().stream()
            .map(k -> new StoreKey(k.getStore(), Bytes.copyOf(k.getKey())).toString())
            .toList()
        + ", attempt "
        + c.getAttempt()
        + ", generation "
        + c.getGeneration();
  }

  static String shortened(String id) {
    return id.length() > 8 ? id.substring(0, 8) : id;
  }
}
