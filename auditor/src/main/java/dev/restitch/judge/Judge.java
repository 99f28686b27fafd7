package dev.restitch.judge;

import dev.restitch.config.RelationConfig;
import dev.restitch.control.ControlBook;
import dev.restitch.judge.Decision.Ask;
import dev.restitch.judge.Decision.Counted;
import dev.restitch.judge.Decision.Counter;
import dev.restitch.judge.Decision.NotWhole;
import dev.restitch.judge.Decision.Settled;
import dev.restitch.judge.Evidence.ControlSeen;
import dev.restitch.judge.Evidence.DoneSeen;
import dev.restitch.judge.Evidence.GapSeen;
import dev.restitch.judge.Evidence.IntentSeen;
import dev.restitch.judge.Evidence.Observed;
import dev.restitch.judge.Evidence.OutcomeSeen;
import dev.restitch.judge.Evidence.SnapshotSeen;
import dev.restitch.judge.Evidence.TimePassed;
import dev.restitch.judge.Reading.State;
import dev.restitch.model.StoreKey;
import dev.restitch.model.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The judge of one relation: evidence in, decisions out (MODEL.md, sections 2 to 4). Knows neither
 * Kafka nor Lettuce, keeps nothing but what stands in the {@link InstanceState}, and looks at no
 * clock. Thread-safe, as it has no state of its own.
 */
public final class Judge {

  /** Transactions that one instance remembers at most. */
  static final int MOST_TRANSACTIONS = 128;

  /** Superseded transactions kept where nothing orders them. */
  static final int UNORDERED_KEPT = 16;

  private final RelationConfig relation;
  private final VersionOrder order;
  private final boolean repairs;
  private final ControlBook book;

  /**
   * A judge for whom nothing is set.
   *
   * @param repairs true to emit repair commands; replay only names the action
   */
  public Judge(RelationConfig relation, boolean repairs) {
    this(relation, repairs, new ControlBook());
  }

  /**
   * @param repairs true to emit repair commands; replay only names the action
   * @param book what is set; its owner changes it, then tells {@link Evidence.ControlSeen}
   */
  public Judge(RelationConfig relation, boolean repairs, ControlBook book) {
    this.book = book;
    this.relation = relation;
    this.order = new VersionOrder(relation.version());
    this.repairs = repairs;
  }

  /** The state of an instance of which nothing is known. */
  public InstanceState fresh(String instance) {
    return new InstanceState(relation, instance);
  }

  /**
   * Takes one step. The state is taken over and changed; {@link InstanceState#wakeAt} says when to
   * come back with {@link TimePassed}. Asks are only made then, so that all evidence of a
   * millisecond comes before its timers.
   *
   * @return what to do, in order
   */
  public List<Decision> judge(InstanceState s, Evidence evidence) {
    List<Decision> decisions = new ArrayList<>(2);
    Memory memory = new Memory(s, order, decisions);
    boolean open = s.incident != null;
    boolean asking = s.askAgainAt >= 0;
    boolean covered = memory.incidentCovered(evidence.at());
    if (evidence instanceof IntentSeen e) {
      memory.merge(e);
    } else if (evidence instanceof DoneSeen e) {
      memory.merge(e);
    } else if (evidence instanceof Observed e) {
      memory.merge(e);
    } else if (evidence instanceof SnapshotSeen e) {
      snapshot(s, memory, e, decisions);
    } else if (evidence instanceof OutcomeSeen e) {
      life(s, decisions).outcome(e, memory);
    } else if (evidence instanceof ControlSeen e) {
      life(s, decisions).control(e, memory);
    } else if (evidence instanceof GapSeen e) {
      memory.merge(e);
    } else if (evidence instanceof TimePassed e) {
      timePassed(s, e.at(), decisions);
    }
    boolean answered = evidence instanceof SnapshotSeen && s.askAgainAt < 0 && asking;
    if (open && !answered && !covered && memory.incidentCovered(evidence.at())) {
      memory.wantProbe(evidence.at(), "what was behind is covered");
    }
    settle(s, evidence.at(), decisions);
    long latest = Math.max(evidence.at(), s.lastEvidenceAt); // whatever the order of arrival
    forget(s, latest, decisions);
    s.wakeAt = nextWake(s, latest);
    return decisions;
  }

  private Life life(InstanceState s, List<Decision> decisions) {
    return new Life(s, order, repairs, book, decisions);
  }

  private void timePassed(InstanceState s, long now, List<Decision> decisions) {
    if (s.askAgainAt >= 0) {
      if (s.askAgainAt <= now) {
        if (s.askedAt >= 0 && now - s.askedAt >= relation.patience().toMillis()) {
          decisions.add(new Counted(Counter.PROBE_UNANSWERED));
        }
        ask(s, now, "asked again", decisions);
      }
      return;
    }
    Optional<Docket.Suspicion> suspicion = Docket.earliest(s, order, now);
    if (suspicion.isPresent() && suspicion.get().due() <= now) {
      s.firstAskedAt = now;
      s.askAttempt = 0;
      ask(s, now, suspicion.get().reason(), decisions);
    }
  }

  private void ask(InstanceState s, long now, String reason, List<Decision> decisions) {
    s.probeAt = -1;
    s.probeReason = null;
    s.seq++;
    s.askedAt = now;
    s.askAgainAt = now + relation.patience().toMillis();
    if (s.revisitAt >= 0) {
      s.revisitAt = now + relation.patience().toMillis();
    }
    Facts facts = new Facts(s, order, now);
    Set<StoreKey> keys = new LinkedHashSet<>(s.ownKeys);
    Set<StoreKey> markers = new LinkedHashSet<>();
    for (Transaction t : s.transactions.values()) {
      boolean open = !facts.uncovered(t).isEmpty();
      if (open) {
        keys.addAll(t.writes.keySet());
      }
      boolean markerUnknown = !t.markerSeen() || t.markerEndsAt <= now;
      if (markerUnknown && (open || facts.carriedHere(t))) {
        if (t.marker != null) {
          markers.add(t.marker);
        } else {
          relation.markerOf(s.instance, t.stamp.token()).ifPresent(markers::add);
        }
      }
    }
    if (s.incident != null) {
      s.incident.tell(now, "probed", reason);
    }
    decisions.add(
        new Ask(
            s.instance, s.seq, now, s.askAttempt, List.copyOf(keys), List.copyOf(markers), reason));
  }

  private void snapshot(InstanceState s, Memory memory, SnapshotSeen e, List<Decision> decisions) {
    boolean answer = e.seq() != null && s.askAgainAt >= 0 && e.seq() == s.seq && s.askedAt >= 0;
    boolean disagrees = answer && laterEvidenceDisagrees(s, e);
    boolean news = memory.merge(e);
    if (!answer) {
      // it may be older than what is known: it raises suspicion, and settles none
      decisions.add(new Counted(Counter.SNAPSHOT_UNASKED));
      if (news || (e.seq() == null && sidesDiffer(e))) {
        memory.wantProbe(e.at(), "a snapshot that was not asked for saw something else");
      }
      return;
    }
    List<StoreKey> unreadable =
        e.readings().stream().filter(r -> r.state() == State.UNREADABLE).map(Reading::key).toList();
    Life life = life(s, decisions);
    if (!unreadable.isEmpty() || !e.stable()) {
      decisions.add(new Counted(Counter.SNAPSHOT_UNSTABLE));
      long backoff = Math.min(500L << (2 * Math.min(s.askAttempt, 10)), 60_000L);
      s.askAttempt++;
      s.askedAt = -1; // answered; the same answer again is no other attempt
      s.askAgainAt = e.at() + Math.min(backoff, relation.patience().toMillis());
      if (e.at() - s.firstAskedAt >= relation.patience().toMillis()) {
        life.indeterminate(e, unreadable);
      }
      return;
    }
    s.askAgainAt = -1;
    s.askedAt = -1;
    if (disagrees) {
      decisions.add(new Counted(Counter.SNAPSHOT_REFUSED));
      memory.wantProbe(e.at(), "later evidence disagreed with the snapshot");
      return;
    }
    life.convictOrAcquit(e);
  }

  /** What was recorded after the ask, and says otherwise, may be newer than what was read. */
  private static boolean laterEvidenceDisagrees(InstanceState s, SnapshotSeen e) {
    for (Reading r : e.readings()) {
      KeyMemory m = s.keys.get(r.key());
      if (m != null && m.disagreesSince(e.askedAt(), r)) {
        return true;
      }
    }
    return false;
  }

  private static boolean sidesDiffer(SnapshotSeen e) {
    return e.readings().stream()
        .anyMatch(r -> !r.agreesWith(withKey(e.readings().get(0), r.key())));
  }

  private static Reading withKey(Reading r, StoreKey key) {
    return new Reading(key, r.state(), r.stamp(), r.tokens(), null, null, null, null, null);
  }

  /** Notes which transactions have become whole; feeds the consistency measure. */
  private void settle(InstanceState s, long at, List<Decision> decisions) {
    Facts facts = new Facts(s, order, at);
    for (Transaction t : s.transactions.values()) {
      if (t.coveredAt >= 0 || !facts.effective(t) || facts.ownSides(t).isEmpty()) {
        continue;
      }
      long lag = Math.max(0, at - t.effectSince(at));
      if (facts.uncovered(t).isEmpty() || facts.allGone(t) || facts.supersededWithoutOrder(t)) {
        t.coveredAt = at;
        Verdict verdict = facts.carriedHere(t) ? Verdict.WHOLE : Verdict.SUPERSEDED;
        decisions.add(new Settled(verdict, t.overdue ? -1 : lag));
      } else if (lag > Consistency.LONGEST_MILLIS) {
        overdue(t, decisions);
      }
    }
  }

  private static void overdue(Transaction t, List<Decision> decisions) {
    if (!t.overdue && t.coveredAt < 0) {
      t.overdue = true;
      decisions.add(new NotWhole());
    }
  }

  private void forget(InstanceState s, long now, List<Decision> decisions) {
    Facts facts = new Facts(s, order, now);
    int spare = 0;
    List<Transaction> superseded = new ArrayList<>();
    for (Transaction t : s.transactions.values()) {
      if (t.coveredAt >= 0 && !facts.carried(t) && toppedEverywhere(s, facts, t)) {
        superseded.add(t);
      } else if (facts.supersededWithoutOrder(t) && facts.deadline(t) <= now) {
        spare++;
        if (spare > UNORDERED_KEPT) {
          superseded.add(t);
        }
      }
    }
    superseded.removeIf(t -> s.incident != null && t.stamp.equals(s.incident.stamp));
    superseded.forEach(s::bury);
    while (s.transactions.size() > MOST_TRANSACTIONS) {
      Transaction oldest = s.transactions.values().iterator().next();
      if (facts.effective(oldest) && !facts.ownSides(oldest).isEmpty()) {
        overdue(oldest, decisions);
      }
      s.bury(oldest);
      decisions.add(new Counted(Counter.TRANSACTIONS_OVER_LIMIT));
    }
    boolean silent = now >= s.lastEvidenceAt + relation.memory().toMillis();
    if (silent
        && s.incident == null
        && s.askAgainAt < 0
        && Docket.earliest(s, order, now).isEmpty()) {
      for (Transaction t : s.transactions.values()) {
        if (facts.effective(t) && !facts.ownSides(t).isEmpty()) {
          overdue(t, decisions);
        }
      }
      s.keys.clear();
      s.transactions.clear();
      s.tombstones.clear();
      s.buriedVersions.clear();
    }
  }

  /**
   * Every side of T here once carried something newer; no lateness can make T the highest again.
   */
  private static boolean toppedEverywhere(InstanceState s, Facts facts, Transaction t) {
    for (StoreKey k : facts.ownSides(t)) {
      KeyMemory m = s.keys.get(k);
      if (m == null || m.top == null || !facts.newer(m.top, t.stamp)) {
        return false;
      }
      Transaction top = s.transactions.get(m.top);
      if (top == null || !facts.writes(top, k)) {
        return false; // what is newer there speaks for no side that is known
      }
    }
    return true;
  }

  private long nextWake(InstanceState s, long now) {
    if (s.forgotten()) {
      return -1;
    }
    if (s.askAgainAt >= 0) {
      return s.askAgainAt;
    }
    Optional<Docket.Suspicion> next = Docket.earliest(s, order, now);
    if (next.isPresent()) {
      return Math.max(0, next.get().due());
    }
    return s.incident != null ? -1 : s.lastEvidenceAt + relation.memory().toMillis();
  }
}
