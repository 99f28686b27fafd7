package dev.restitch.judge;

import dev.restitch.config.RelationConfig.VerdictSwitch;
import dev.restitch.config.RepairPolicyConfig;
import dev.restitch.config.RepairPolicyConfig.Policy;
import dev.restitch.control.ControlBook;
import dev.restitch.control.Hold;
import dev.restitch.judge.Decision.Counted;
import dev.restitch.judge.Decision.Counter;
import dev.restitch.judge.Decision.IncidentChanged;
import dev.restitch.judge.Decision.Repair;
import dev.restitch.judge.Decision.Settled;
import dev.restitch.judge.Evidence.ControlSeen;
import dev.restitch.judge.Evidence.OutcomeKind;
import dev.restitch.judge.Evidence.OutcomeSeen;
import dev.restitch.judge.Evidence.SnapshotSeen;
import dev.restitch.judge.Finding.Guilty;
import dev.restitch.judge.Finding.Wait;
import dev.restitch.judge.Finding.Whole;
import dev.restitch.judge.Incident.Phase;
import dev.restitch.model.StoreKey;
import dev.restitch.model.Verdict;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** The life of an instance's one incident: declared, changed, repaired, closed. */
final class Life {

  /** Tries of one policy before the next one's turn. */
  private static final int TRIES = 5;

  private static final String REFUSED = OutcomeKind.REFUSED.name();
  private static final long RELEASE_LAG_MILLIS = 500;
  private static final long HOUR_MILLIS = 3_600_000L;

  private final InstanceState s;
  private final VersionOrder order;
  private final boolean repairs;
  private final Instructions instructions;
  private final List<Decision> decisions;

  Life(
      InstanceState s,
      VersionOrder order,
      boolean repairs,
      ControlBook book,
      List<Decision> decisions) {
    this.instructions = new Instructions(s, book);
    this.s = s;
    this.order = order;
    this.repairs = repairs;
    this.decisions = decisions;
  }

  void convictOrAcquit(SnapshotSeen e) {
    long asOf = e.askedAt();
    s.judgedThrough = asOf;
    if (s.probeAt <= asOf) {
      s.probeAt = -1;
      s.probeReason = null;
    }
    Set<StoreKey> read = new HashSet<>();
    e.readings().forEach(r -> read.add(r.key()));
    Finding finding = new Hearing(s, order, asOf, read).find();
    noteNeverSeen(asOf);
    if (finding instanceof Wait wait) {
      if (wait.otherwise() instanceof Whole) {
        lookAgain(wait.until(), "a transaction was inside its settle time");
        return;
      }
      long limit = s.waitLimit < 0 ? asOf + s.settle() : s.waitLimit;
      if (asOf < limit) {
        s.waitLimit = limit;
        lookAgain(Math.min(wait.until(), limit), "another transaction was inside its settle time");
        return;
      }
      finding = wait.otherwise();
    }
    s.waitLimit = -1;
    if (finding instanceof Guilty guilty && declared(guilty.verdict())) {
      declare(guilty, e);
    } else {
      acquit(e.at());
    }
  }

  /** No later than then: what was suspected since the ask may be due before. */
  private void lookAgain(long at, String reason) {
    if (s.probeAt < 0 || at < s.probeAt) {
      s.probeAt = at;
      s.probeReason = reason;
    }
  }

  /** Transactions that the snapshot did not show: not applied, as far as this instance can tell. */
  private void noteNeverSeen(long asOf) {
    Facts facts = new Facts(s, order, asOf);
    for (Transaction t : s.transactions.values()) {
      if (facts.effective(t)) {
        if (facts.allGone(t) && !s.ownKeys.containsAll(t.writes.keySet())) {
          t.revisits++; // another instance's side may yet be written
        }
        continue;
      }
      if (!t.hasIntent() || facts.deadline(t) > asOf) {
        continue;
      }
      if (t.coveredAt < 0) {
        t.coveredAt = asOf;
        boolean open = !facts.uncovered(t).isEmpty();
        if (open && facts.mayHaveStood(t)) {
          decisions.add(new Counted(Counter.UNDECIDED));
        } else {
          decisions.add(new Settled(open ? Verdict.NOT_APPLIED : Verdict.SUPERSEDED, -1));
        }
      }
      if (!s.ownKeys.containsAll(t.writes.keySet())) {
        t.revisits++;
      }
    }
  }

  private boolean declared(Verdict verdict) {
    VerdictSwitch fallback =
        verdict == Verdict.UNDECIDED ? VerdictSwitch.COUNT : VerdictSwitch.DECLARE;
    VerdictSwitch chosen = s.relation.verdicts().getOrDefault(verdict, fallback);
    if (chosen == VerdictSwitch.DECLARE) {
      return true;
    }
    if (chosen == VerdictSwitch.COUNT && verdict != Verdict.UNDECIDED) {
      decisions.add(new Counted(Counter.VERDICT_NOT_DECLARED));
    }
    return false;
  }

  private void declare(Guilty g, SnapshotSeen e) {
    Remedy remedy = new Remedy(s, order, e.askedAt());
    Incident incident = s.incident;
    if (incident == null) {
      incident = open(g.verdict(), g.transaction(), e);
    }
    boolean news =
        incident.verdict != g.verdict()
            || !Objects.equals(incident.stamp, g.transaction().stamp)
            || !incident.behind.equals(g.behind());
    if (news) {
      boolean first = incident.verdict == null;
      incident.verdict = g.verdict();
      incident.stamp = g.transaction().stamp;
      incident.behind = g.behind();
      incident.rule = g.rule();
      incident.policyIndex = 0;
      incident.policyAttempts = 0;
      incident.cleanSnapshots = 0;
      incident.action = remedy.label(remedy.choose(g.verdict(), g.transaction(), g.behind(), 0));
      if (first) {
        incident.suspectedAt = Math.max(0, g.transaction().firstEvidenceAt());
        incident.dueAt = g.dueAt();
        incident.tell(incident.suspectedAt, "observed", "first evidence of the transaction");
        incident.tell(g.dueAt(), "suspected", "the deadline passed");
        incident.tell(e.askedAt(), "probed", null);
      }
      incident.tell(e.at(), first ? "declared" : "changed", g.verdict() + ": " + g.rule());
    }
    incident.cleanSnapshots++;
    incident.evidence = e.readings();
    s.revisitAt = e.at() + s.relation.patience().toMillis();
    boolean turned = instructions.suppress(e.at());
    boolean repairable = incident.phase != Phase.SUPPRESSED && !e.fromObservations();
    boolean commanded = repairs && repairable && command(g, e, remedy);
    if (news || turned || commanded) {
      changed(e.at());
    }
  }

  private Incident open(Verdict verdict, Transaction t, SnapshotSeen e) {
    String text =
        s.instance + '|' + verdict + '|' + (t == null ? "" : t.stamp) + '|' + e.at() + '|' + s.seq;
    Incident incident = new Incident(Remedy.hash(text).substring(0, 16));
    incident.declaredAt = e.at();
    incident.fromObservations = e.fromObservations();
    s.incident = incident;
    return incident;
  }

  /** Issues the next repair command, if one is allowed now; true if the incident changed. */
  private boolean command(Guilty g, SnapshotSeen e, Remedy remedy) {
    Incident incident = s.incident;
    if (incident.commandInFlight(e.at())) {
      return false;
    }
    if (g.verdict() == Verdict.MARKER_MISSING && incident.cleanSnapshots < 2) {
      s.probeAt = e.at();
      s.probeReason = "one more clean snapshot before the marker is written";
      return false;
    }
    if (incident.policyAttempts >= TRIES) {
      incident.policyIndex++;
      incident.policyAttempts = 0;
    }
    int index = remedy.choose(g.verdict(), g.transaction(), g.behind(), incident.policyIndex);
    if (index < 0) {
      boolean exhausted = incident.attempts > 0 && incident.phase != Phase.MANUAL;
      if (exhausted) {
        incident.phase = "FAILED".equals(incident.lastOutcome) ? Phase.FAILED : Phase.MANUAL;
        incident.tell(e.at(), "exhausted", "no policy is left to try");
      }
      return exhausted;
    }
    Policy policy = s.relation.repair().get(index).policy();
    if (heldStill(policy, g)) {
      return false;
    }
    if (policy == Policy.SOURCE_OF_TRUTH && !nextGeneration(e.at())) {
      boolean fresh = incident.phase != Phase.MANUAL;
      incident.phase = Phase.MANUAL;
      return fresh;
    }
    incident.policyIndex = index;
    incident.action = policy.label();
    incident.policyAttempts++;
    incident.attempts++;
    incident.generation = s.generation;
    incident.phase = Phase.REPAIRING;
    Repair repair = word(g, e, remedy, policy);
    incident.command = repair.id();
    incident.commandAttempt = repair.attempt();
    incident.commandNotAfter = repair.notAfter();
    incident.tell(e.at(), "commanded", policy.label() + ", attempt " + repair.attempt());
    decisions.add(repair);
    return true;
  }

  /** A worker has refused it, or a person discarded it, and that has not changed. */
  private boolean heldStill(Policy policy, Guilty g) {
    return instructions
        .hold(policy.label(), target(policy, g.behind()))
        .filter(
            hold ->
                hold.reason() == Hold.Reason.DISCARDED || REFUSED.equals(s.incident.lastOutcome))
        .isPresent();
  }

  private List<StoreKey> target(Policy policy, List<StoreKey> behind) {
    // a log is never rewritten: only what it lacks is appended
    boolean all = policy == Policy.SOURCE_OF_TRUTH && !s.relation.log();
    return all ? s.ownKeys : behind;
  }

  /** Something was set: the incident is told, and looked at again if a hold is over. */
  void control(ControlSeen e, Memory memory) {
    if (s.incident == null) {
      return;
    }
    boolean turned = instructions.take(e.directive(), e.at());
    turned |= instructions.suppress(e.at());
    if (instructions.releases(e.directive()) && !s.incident.commandInFlight(e.at())) {
      memory.probeAt(e.at(), "what held the repair back may be over");
    }
    if (turned) {
      changed(e.at());
    }
  }

  /** Source-of-truth rewrites are capped per instance and hour. */
  private boolean nextGeneration(long now) {
    if (s.generationsSince < 0 || now - s.generationsSince >= HOUR_MILLIS) {
      s.generationsSince = now;
      s.generationsCounted = 0;
    }
    if (s.generationsCounted >= s.relation.generations()) {
      return false;
    }
    s.generationsCounted++;
    if (s.incident.applied) {
      s.generation++;
    }
    return true;
  }

  private Repair word(Guilty g, SnapshotSeen e, Remedy remedy, Policy policy) {
    Incident incident = s.incident;
    List<Reading> expected = remedy.expected();
    List<StoreKey> target = target(policy, g.behind());
    Long ttl = policy == Policy.MARK ? s.markerTtl() : null;
    return new Repair(
        Remedy.commandId(
            incident.id, s.generation, policy, g.transaction().stamp, expected, target),
        incident.id,
        s.instance,
        g.verdict(),
        policy,
        s.generation,
        incident.attempts,
        g.transaction().stamp,
        remedy.highestVersion(),
        expected,
        target,
        ttl,
        g.transaction().intentPartition,
        g.transaction().intentOffset,
        e.at(),
        e.at() + s.relation.patience().toMillis());
  }

  void acquit(long at) {
    Incident incident = s.incident;
    if (incident == null) {
      return;
    }
    incident.phase = incident.applied ? Phase.REPAIRED : Phase.HEALED;
    incident.closedAt = at;
    incident.tell(at, incident.applied ? "verified" : "healed", "a snapshot shows it whole");
    changed(at);
    s.incident = null;
    s.revisitAt = -1;
  }

  void indeterminate(SnapshotSeen e, List<StoreKey> unreadable) {
    if (!declared(Verdict.INDETERMINATE)) {
      return;
    }
    if (s.incident == null) {
      Incident incident = open(Verdict.INDETERMINATE, null, e);
      incident.verdict = Verdict.INDETERMINATE;
      incident.behind = unreadable.stream().filter(s::owns).toList();
      incident.rule = Rules.inWords(Verdict.INDETERMINATE);
      incident.suspectedAt = s.firstAskedAt;
      incident.dueAt = s.firstAskedAt;
      newestTransaction(e.at(), incident);
      incident.tell(e.at(), "declared", incident.rule);
      instructions.suppress(e.at());
      incident.evidence = e.readings();
      s.revisitAt = e.at() + s.relation.patience().toMillis();
      changed(e.at());
    }
  }

  private void newestTransaction(long at, Incident incident) {
    Facts facts = new Facts(s, order, at);
    s.transactions.values().stream().max(facts::compare).ifPresent(t -> incident.stamp = t.stamp);
  }

  void outcome(OutcomeSeen e, Memory memory) {
    Incident incident = s.incident;
    boolean known =
        incident != null
            && (!repairs
                || (e.command().equals(incident.command)
                    && e.attempt() >= incident.commandAttempt));
    if (!known) {
      decisions.add(new Counted(Counter.STALE_OUTCOME));
      return;
    }
    boolean refused = e.outcome() == OutcomeKind.REFUSED || e.outcome() == OutcomeKind.HELD;
    incident.lastOutcome = refused ? REFUSED : e.outcome().name();
    incident.command = null;
    incident.commandNotAfter = -1;
    incident.tell(
        e.at(),
        e.outcome() == OutcomeKind.APPLIED ? "applied" : "outcome",
        incident.lastOutcome + (e.detail() == null ? "" : ": " + e.detail()));
    switch (e.outcome()) {
      case APPLIED, ALREADY -> {
        incident.applied = true;
        memory.probeAt(e.at(), "a repair was applied");
      }
      case SUPERSEDED, CONFLICT -> memory.probeAt(e.at(), "a repair met another write");
      case REFUSED, HELD -> {
        refused(incident);
        if (e.outcome() == OutcomeKind.HELD && !held(incident)) {
          // released already, which the worker did not know yet
          memory.probeAt(e.at() + RELEASE_LAG_MILLIS, "what held the repair back is over");
        }
      }
      case FAILED -> {
        incident.policyIndex++;
        incident.policyAttempts = 0;
        memory.probeAt(e.at(), "a repair failed");
      }
    }
    changed(e.at());
  }

  /** A refused command costs nothing: no attempt, and no generation. */
  private void refused(Incident incident) {
    incident.attempts = Math.max(0, incident.attempts - 1);
    incident.policyAttempts = Math.max(0, incident.policyAttempts - 1);
    if (policy(incident).filter(Policy.SOURCE_OF_TRUTH::equals).isPresent()) {
      s.generationsCounted = Math.max(0, s.generationsCounted - 1);
    }
    if (incident.phase == Phase.REPAIRING) {
      incident.phase = Phase.OPEN;
    }
  }

  private boolean held(Incident incident) {
    return policy(incident)
        .flatMap(p -> instructions.hold(p.label(), target(p, incident.behind)))
        .isPresent();
  }

  /** The policy whose turn it is; empty: none is left. */
  private Optional<Policy> policy(Incident incident) {
    List<RepairPolicyConfig> policies = s.relation.repair();
    return incident.policyIndex < policies.size()
        ? Optional.of(policies.get(incident.policyIndex).policy())
        : Optional.empty();
  }

  private void changed(long at) {
    s.incident.updatedAt = at;
    decisions.add(new IncidentChanged(s.instance, s.incident.copy()));
  }
}
