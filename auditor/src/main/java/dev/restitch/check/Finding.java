package dev.restitch.check;

import dev.restitch.avro.Reading;
import dev.restitch.check.Checked.Result;
import dev.restitch.config.Durations;
import dev.restitch.config.RelationConfig;
import dev.restitch.judge.Incident;
import dev.restitch.judge.Reading.State;
import dev.restitch.topology.EvidenceReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Puts what an examination shows into words. */
final class Finding {

  private final Examination seen;
  private final RelationConfig relation;
  private final boolean once;
  private final List<dev.restitch.judge.Reading> sides;

  private Finding(Examination seen, boolean once) {
    this.seen = seen;
    this.relation = seen.relation();
    this.once = once;
    this.sides =
        seen.lastLook().getSides().stream()
            .limit(relation.sides().size())
            .map(EvidenceReader::reading)
            .toList();
  }

  static Checked of(Examination seen, boolean once) {
    return new Finding(seen, once).checked();
  }

  private record Word(Result result, String why) {}

  private Checked checked() {
    Word word = word();
    return new Checked(
        seen.instance(),
        word.result(),
        word.why(),
        seen.readable() ? seen.incident() : Optional.empty(),
        unknown(),
        seen.lastLook().getSides(),
        once ? 1 : seen.looks());
  }

  private Word word() {
    if (!seen.readable()) {
      return new Word(Result.UNDECIDED, unreadable());
    }
    if (seen.incident().isPresent()) {
      return torn(seen.incident().get());
    }
    if (seen.suspicious()) {
      return new Word(
          Result.UNDECIDED,
          "its sides disagree, but it is being written: each look saw something newer");
    }
    if (count(State.ABSENT) == sides.size()) {
      return new Word(Result.WHOLE, "no side is there; all sides gone is whole");
    }
    if (count(State.STAMPED) == 0) {
      return new Word(
          Result.UNDECIDED, "no side carries a stamp, so that there is nothing to compare");
    }
    return relation.writesAll() ? whole() : someWrites();
  }

  private String unreadable() {
    String keys =
        seen.lastLook().getSides().stream()
            .filter(r -> Examination.state(r) == State.UNREADABLE)
            .map(Finding::name)
            .collect(Collectors.joining(", "));
    return keys.isEmpty()
        ? "it changed between the two passes of each look, or a primary did"
        : "not readable: " + keys + "; does the shard answer?";
  }

  private Word torn(Incident incident) {
    String said = incident.verdict + ": " + incident.rule;
    if (once) {
      return new Word(
          Result.UNDECIDED,
          said
              + "; yet a write may be under way: without --once this is read again one settle time"
              + " ("
              + Durations.format(relation.settle())
              + ") later");
    }
    return switch (incident.verdict) {
      case MARKER_MISSING, MARKER_EXPIRED ->
          new Word(
              Result.UNDECIDED,
              "all sides carry the same transaction, but its marker is not there: it expired, or"
                  + " was never written");
      default -> new Word(Result.TORN, said);
    };
  }

  private Word whole() {
    return sides.size() == 1
        ? new Word(Result.WHOLE, "its only side carries a stamp")
        : new Word(
            Result.WHOLE,
            relation.log()
                ? "every entry stands in every log, as far as their windows reach"
                : "every side carries the newest transaction that is seen, or one newer");
  }

  private Word someWrites() {
    if (sides.size() == 1) {
      return new Word(
          Result.UNDECIDED,
          "its only side carries a stamp; whether that transaction is whole stands in other"
              + " instances, and only its intent names them");
    }
    boolean same = sides.stream().allMatch(sides.get(0)::agreesWith);
    return same
        ? new Word(Result.WHOLE, "every side carries the same transaction")
        : new Word(
            Result.UNDECIDED,
            "the sides carry different transactions, which is lawful where 'writes: some' is"
                + " declared: only their intents tell which sides they write");
  }

  private long count(State state) {
    return sides.stream().filter(side -> side.state() == state).count();
  }

  private List<String> unknown() {
    List<String> unknown = new ArrayList<>();
    if (seen.looks() == 1 || once) {
      unknown.add("whether it stood otherwise a moment ago, or will in the next");
    }
    if (count(State.ABSENT) > 0 && count(State.STAMPED) > 0) {
      unknown.add("whether a side was deleted on purpose: only an intent tells");
    }
    if (count(State.STAMPED) > 0) {
      unknown.add("whether a payload is the one that its writer meant: only an intent tells");
      unknown.add("whether these transactions also wrote other instances: only intents tell");
    }
    if (relation.intentsRequired()) {
      unknown.add("whether their intents came");
    }
    return unknown;
  }

  private static String name(Reading reading) {
    return EvidenceReader.reading(reading).key().toString();
  }
}
