package dev.restitch.control;

import dev.restitch.control.Hold.Reason;
import dev.restitch.control.Scope.Kind;
import dev.restitch.model.Verdict;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The settings that hold now, and what follows from them. What its readers have taken in last
 * counts, whatever the clocks say. Thread-safe.
 */
public final class ControlBook {

  private final Map<String, Directive> directives = new HashMap<>();

  /** Takes a setting in the place of an earlier one of its key. */
  public synchronized void put(Directive directive) {
    directives.put(directive.key(), directive);
  }

  /** Forgets a setting. */
  public synchronized void remove(String key) {
    directives.remove(key);
  }

  /** What was set for a key last; empty if nothing was. */
  public synchronized Optional<Directive> get(Setting setting, Scope scope) {
    return Optional.ofNullable(directives.get(Directive.key(setting, scope)));
  }

  /** All settings, those that are off too, by key. */
  public synchronized List<Directive> all() {
    List<Directive> all = new ArrayList<>(directives.values());
    all.sort(Comparator.comparing(Directive::key));
    return all;
  }

  /** The settings of a kind that hold. */
  public List<Directive> on(Setting setting) {
    return all().stream().filter(d -> d.setting() == setting && d.on()).toList();
  }

  /** Why a repair may not be made now; empty: it may. */
  public synchronized Optional<Hold> hold(Proposal p) {
    return ofIncident(p)
        .or(() -> switched(Setting.PAUSE, p, Reason.PAUSED))
        .or(() -> braked(p))
        .or(() -> blind(p))
        .or(() -> switched(Setting.DRY_RUN, p, Reason.DRY_RUN))
        .or(() -> unapproved(p));
  }

  /** Who suppressed an incident, and why; empty: nobody. */
  public synchronized Optional<Directive> suppression(
      String instance, String incident, Verdict verdict) {
    Optional<Directive> person = active(Setting.SUPPRESS, Scope.incident(instance, incident));
    return person.or(
        () ->
            directives.values().stream()
                .filter(d -> d.setting() == Setting.SUPPRESS && d.on())
                .filter(d -> d.scope().names(instance, verdict))
                .min(Comparator.comparing(Directive::key)));
  }

  /** The number that a setting has there; empty: none holds. */
  public OptionalInt number(Setting setting, Scope scope) {
    Optional<Directive> set = get(setting, scope).filter(Directive::on);
    return set.isPresent()
        ? OptionalInt.of(Integer.parseInt(set.get().value()))
        : OptionalInt.empty();
  }

  private Optional<Hold> ofIncident(Proposal p) {
    return active(Setting.DISCARD, p.scope())
        .map(d -> new Hold(Reason.DISCARDED, "discarded " + by(d)))
        .or(
            () ->
                suppression(p.instance(), p.incident(), p.verdict())
                    .map(d -> new Hold(Reason.SUPPRESSED, "suppressed " + by(d))));
  }

  private Optional<Hold> switched(Setting setting, Proposal p, Reason reason) {
    String word = setting == Setting.PAUSE ? "paused" : "dry run";
    return active(setting, Scope.EVERYWHERE)
        .or(() -> active(setting, Scope.relation(p.relation())))
        .or(() -> first(p.stores(), store -> active(setting, Scope.store(store))))
        .map(d -> new Hold(reason, word + where(d) + " " + by(d)));
  }

  private Optional<Hold> braked(Proposal p) {
    return first(p.stores(), store -> active(Setting.BRAKE, Scope.store(store)))
        .map(d -> new Hold(Reason.BRAKED, "the brake is engaged" + where(d) + " " + by(d)));
  }

  private Optional<Hold> blind(Proposal p) {
    return directives.values().stream()
        .filter(d -> d.setting() == Setting.BLIND && d.on())
        .filter(d -> d.scope().store().filter(p.stores()::contains).isPresent())
        .min(Comparator.comparing(Directive::key))
        .map(d -> new Hold(Reason.BLIND, "not covered now" + where(d) + ": " + d.cause()));
  }

  private Optional<Hold> unapproved(Proposal p) {
    if (!p.approvalRequired()) {
      return Optional.empty();
    }
    Optional<Directive> approval = active(Setting.APPROVE, p.scope());
    if (approval.isEmpty()) {
      return Optional.of(
          new Hold(Reason.UNAPPROVED, "relation " + p.relation() + " wants every repair approved"));
    }
    return approval
        .filter(d -> !d.value().equals(p.approvable()))
        .map(
            d ->
                new Hold(
                    Reason.UNAPPROVED,
                    "approved was " + d.value() + ", and not " + p.approvable()));
  }

  private Optional<Directive> active(Setting setting, Scope scope) {
    return Optional.ofNullable(directives.get(Directive.key(setting, scope))).filter(Directive::on);
  }

  private static Optional<Directive> first(
      Collection<String> stores, java.util.function.Function<String, Optional<Directive>> find) {
    return stores.stream().sorted().flatMap(store -> find.apply(store).stream()).findFirst();
  }

  private static String where(Directive d) {
    Scope scope = d.scope();
    return scope.kind() == Kind.EVERYWHERE ? "" : " for " + scope;
  }

  private static String by(Directive d) {
    return "by " + d.owner() + ": " + d.cause();
  }
}
