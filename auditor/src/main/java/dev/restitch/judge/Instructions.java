package dev.restitch.judge;

import dev.restitch.control.ControlBook;
import dev.restitch.control.Directive;
import dev.restitch.control.Hold;
import dev.restitch.control.Proposal;
import dev.restitch.control.Scope;
import dev.restitch.control.Setting;
import dev.restitch.judge.Incident.Phase;
import dev.restitch.model.StoreKey;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** What people, and the brake, have set about an instance and its open incident. */
final class Instructions {

  private final InstanceState s;
  private final ControlBook book;

  Instructions(InstanceState state, ControlBook book) {
    this.s = state;
    this.book = book;
  }

  /** Suppresses the open incident, or no longer; true if that changed it. */
  boolean suppress(long at) {
    Incident incident = s.incident;
    Optional<Directive> by = book.suppression(s.instance, incident.id, incident.verdict);
    if (by.isPresent() && incident.phase != Phase.SUPPRESSED) {
      incident.phase = Phase.SUPPRESSED;
      incident.tell(at, "suppressed", by(by.get()));
      return true;
    }
    if (by.isEmpty() && incident.phase == Phase.SUPPRESSED) {
      incident.phase = Phase.OPEN;
      incident.tell(at, "no longer suppressed", null);
      return true;
    }
    return false;
  }

  /** Why a policy may not write to these keys now; empty: it may. */
  Optional<Hold> hold(String policy, Collection<StoreKey> keys) {
    List<String> stores = keys.stream().map(StoreKey::store).distinct().toList();
    return book.hold(
        new Proposal(
            s.relation.name(),
            s.instance,
            s.incident.id,
            s.incident.verdict,
            policy,
            stores,
            s.relation.approval()));
  }

  /** Takes an order about this very incident; true if that changed it. */
  boolean take(Directive d, long at) {
    Incident incident = s.incident;
    if (!d.scope().equals(Scope.incident(s.instance, incident.id))) {
      return false;
    }
    if (d.setting() == Setting.DISCARD) {
      incident.phase = d.on() ? Phase.MANUAL : Phase.OPEN;
      incident.tell(at, d.on() ? "discarded" : "no longer discarded", by(d));
      return true;
    }
    if (d.setting() == Setting.APPROVE) {
      incident.tell(at, d.on() ? "approved" : "no longer approved", d.value() + " " + by(d));
      return true;
    }
    return false;
  }

  /** True if something that held this instance's repair back may be over. */
  boolean releases(Directive d) {
    boolean release =
        switch (d.setting()) {
          case PAUSE, DRY_RUN, BRAKE, BLIND, DISCARD, SUPPRESS -> !d.on();
          case APPROVE -> d.on();
          case RATE, CONCURRENCY -> false;
        };
    return release && concerns(d);
  }

  private boolean concerns(Directive d) {
    Scope scope = d.scope();
    return switch (scope.kind()) {
      case EVERYWHERE -> true;
      case RELATION -> scope.name().equals(s.relation.name());
      case STORE, NODE ->
          s.ownKeys.stream().map(StoreKey::store).anyMatch(scope.store().orElseThrow()::equals);
      case INCIDENT -> scope.equals(Scope.incident(s.instance, s.incident.id));
      case RULE -> scope.names(s.instance, s.incident.verdict);
    };
  }

  private static String by(Directive d) {
    return "by " + d.owner() + ": " + d.cause();
  }
}
