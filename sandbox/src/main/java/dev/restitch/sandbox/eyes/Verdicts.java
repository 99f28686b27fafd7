package dev.restitch.sandbox.eyes;

import dev.restitch.avro.Coverage;
import dev.restitch.avro.EvidenceSource;
import dev.restitch.avro.Gap;
import dev.restitch.avro.Incident;
import dev.restitch.sandbox.eyes.Tape.Said;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;

/** What the topics say of the tears that are known. Stateless. */
final class Verdicts {

  static final String RELATION = "user/";

  private Verdicts() {}

  /** The first declaration of each instance's id. */
  static Map<String, Said<Incident>> declared(Tape tape) {
    Map<String, Said<Incident>> first = new HashMap<>();
    for (Said<Incident> said : tape.incidents.said()) {
      first.putIfAbsent(id(said.value().getInstance()), said);
    }
    return first;
  }

  private static String id(String instance) {
    return instance.substring(RELATION.length());
  }

  /**
   * By what a tear was found: what told of it before the judge asked for the snapshot that
   * convicted it.
   *
   * @param sinceMillis when the tear came about
   */
  static Way way(Tape tape, String id, long sinceMillis, Said<Incident> declared) {
    String instance = RELATION + id;
    Long torn = declared.value().getVersion();
    OptionalLong asked =
        tape.probes.said().stream()
            .filter(probe -> probe.value().getInstance().equals(instance))
            .mapToLong(Said::atMillis)
            .filter(at -> at <= declared.atMillis())
            .max();
    long until = asked.orElse(declared.atMillis());
    boolean told =
        tape.observations.said().stream()
            .filter(o -> instance.equals(o.key()))
            .filter(o -> o.value().getSource() == EvidenceSource.NOTIFICATION)
            .filter(o -> Objects.equals(torn, o.value().getReading().getVersion()))
            .anyMatch(o -> o.atMillis() >= sinceMillis && o.atMillis() <= until);
    if (told) {
      return Way.NOTIFICATION;
    }
    boolean swept =
        tape.snapshots.said().stream()
            .filter(s -> s.value().getInstance().equals(instance))
            .filter(s -> s.value().getSource() == EvidenceSource.SWEEP)
            .anyMatch(s -> s.atMillis() >= sinceMillis && s.atMillis() <= until);
    return swept ? Way.SWEEP : Way.GAP;
  }

  /** Gaps that end after a moment; each was told to every partition. */
  static List<Gap> gapsSince(Tape tape, long millis) {
    Map<String, Gap> byId = new HashMap<>();
    tape.gaps.said().stream()
        .map(Said::value)
        .filter(gap -> gap.getToMillis() >= millis)
        .forEach(gap -> byId.put(gap.getId(), gap));
    return List.copyOf(byId.values());
  }

  /** The last word on every node. */
  static Map<String, Coverage> marks(Tape tape) {
    Map<String, Coverage> last = new HashMap<>();
    tape.coverage.said().forEach(said -> last.put(said.key(), said.value()));
    return last;
  }

  /** Nodes whose counters do not add up, or that have something pending. */
  static List<String> unbalanced(Map<String, Coverage> marks) {
    List<String> wrong = new ArrayList<>();
    marks.forEach(
        (node, mark) -> {
          long accounted =
              mark.getPublished()
                  + mark.getCoalesced()
                  + mark.getFiltered()
                  + mark.getDeadLettered()
                  + mark.getPending();
          if (mark.getReceived() != accounted) {
            wrong.add(node + ": " + mark);
          }
        });
    return wrong;
  }
}
