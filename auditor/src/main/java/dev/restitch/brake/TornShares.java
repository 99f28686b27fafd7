package dev.restitch.brake;

import dev.restitch.avro.Tally;
import dev.restitch.avro.TallyShare;
import dev.restitch.topology.BrakeBoard;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * How many instances all auditors together have judged, and found torn, within the last minute:
 * this one's by its board, those of others as they told last, if that is not long ago. Instances
 * belong to one partition, and so to one auditor: the numbers may be added up. Thread-safe.
 */
public final class TornShares {

  static final Duration FRESH = Duration.ofSeconds(5);

  private final String auditor;
  private final BrakeBoard board;
  private final Supplier<Collection<Tally>> others;
  private final Clock clock;

  /** One relation on one store. */
  public record Share(String relation, String store, long judged, long torn) {

    Share plus(Share other) {
      return new Share(relation, store, judged + other.judged, torn + other.torn);
    }
  }

  /**
   * @param auditor this auditor's name
   * @param others the last tally of every auditor, this one's too
   */
  public TornShares(
      String auditor, BrakeBoard board, Supplier<Collection<Tally>> others, Clock clock) {
    this.auditor = auditor;
    this.board = board;
    this.others = others;
    this.clock = clock;
  }

  /** What this auditor tells the others. */
  public Tally own() {
    List<TallyShare> shares = new ArrayList<>();
    board.read((r, s, judged, torn) -> shares.add(new TallyShare(r, s, judged, torn)));
    shares.sort(Comparator.comparing(TallyShare::getRelation).thenComparing(TallyShare::getStore));
    return new Tally(auditor, clock.millis(), shares);
  }

  /** The sums, by relation and store. */
  public List<Share> all() {
    Map<String, Share> sums = new HashMap<>();
    add(sums, own());
    long oldest = clock.millis() - FRESH.toMillis();
    for (Tally tally : others.get()) {
      if (!tally.getAuditor().equals(auditor) && tally.getAtMillis() >= oldest) {
        add(sums, tally);
      }
    }
    List<Share> all = new ArrayList<>(sums.values());
    all.sort(Comparator.comparing(Share::relation).thenComparing(Share::store));
    return all;
  }

  private static void add(Map<String, Share> sums, Tally tally) {
    for (TallyShare s : tally.getShares()) {
      sums.merge(
          s.getRelation() + '|' + s.getStore(),
          new Share(s.getRelation(), s.getStore(), s.getJudged(), s.getTorn()),
          Share::plus);
    }
  }
}
