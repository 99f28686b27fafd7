package dev.restitch.brake;

import dev.restitch.brake.TornShares.Share;
import dev.restitch.config.RelationConfig;
import dev.restitch.config.RelationConfig.Brake;
import dev.restitch.control.ControlBook;
import dev.restitch.control.Directive;
import dev.restitch.control.Scope;
import dev.restitch.control.Setting;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Engages the brake of a store when too large a share of a relation's judged instances was torn
 * there within a minute; only a person resets it. And holds repairs of a store while one of its
 * primaries is not covered (a gap is open, or the primary is changing); that ends by itself. Every
 * auditor has a keeper; what one has set, the others leave. Not thread-safe: one thread ticks.
 */
public final class BrakeKeeper {

  /** After a reset, until every judge has begun its minute anew. */
  static final Duration GRACE = Duration.ofSeconds(5);

  private final Map<String, RelationConfig> relations;
  private final Supplier<List<Share>> shares;
  private final Supplier<List<NodeSight>> nodes;
  private final ControlBook book;
  private final Consumer<Directive> publish;
  private final String owner;
  private final Clock clock;
  private final Map<String, Long> resetAt = new HashMap<>();
  private final Set<String> engaged = new HashSet<>();

  /**
   * @param book follows what {@code publish} has set, some time later
   * @param publish makes a setting; throws if that is not known to have worked
   * @param owner this auditor's name
   */
  public BrakeKeeper(
      Map<String, RelationConfig> relations,
      Supplier<List<Share>> shares,
      Supplier<List<NodeSight>> nodes,
      ControlBook book,
      Consumer<Directive> publish,
      String owner,
      Clock clock) {
    this.relations = relations;
    this.shares = shares;
    this.nodes = nodes;
    this.book = book;
    this.publish = publish;
    this.owner = owner;
    this.clock = clock;
  }

  /** Looks once; called some times a second. */
  public void tick() {
    List<NodeSight> sights = nodes.get();
    sights.forEach(this::look);
    releaseWhatIsGone(sights);
    noteResets();
    for (Share share : shares.get()) {
      if (!engaged.contains(share.store()) && !justReset(share.store())) {
        tooMuch(share)
            .ifPresent(cause -> set(Setting.BRAKE, Scope.store(share.store()), true, cause));
      }
    }
  }

  /** A cause to engage; empty: none. */
  private Optional<String> tooMuch(Share share) {
    RelationConfig relation = relations.get(share.relation());
    if (relation == null) {
      return Optional.empty();
    }
    Brake brake = relation.brake();
    boolean enough = share.judged() >= brake.count();
    boolean torn = share.torn() > brake.share() * share.judged();
    return enough && torn
        ? Optional.of(
            String.format(
                Locale.ROOT,
                "%d of %d instances of %s judged within a minute were torn; %s %% are allowed",
                share.torn(),
                share.judged(),
                share.relation(),
                percent(brake.share())))
        : Optional.empty();
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.4f", share * 100).replaceAll("\\.?0+$", "");
  }

  private void noteResets() {
    Set<String> now = new HashSet<>();
    book.on(Setting.BRAKE).forEach(d -> now.add(d.scope().name()));
    for (String store : engaged) {
      if (!now.contains(store)) {
        resetAt.put(store, clock.millis());
      }
    }
    engaged.clear();
    engaged.addAll(now);
  }

  private boolean justReset(String store) {
    Long at = resetAt.get(store);
    return at != null && clock.millis() - at < GRACE.toMillis();
  }

  private void look(NodeSight node) {
    Scope scope = Scope.node(node.store(), node.node());
    boolean held = book.get(Setting.BLIND, scope).filter(Directive::on).isPresent();
    boolean blind = node.trouble() != null;
    boolean speaks = node.ours() || NodeSight.UNWATCHED.equals(node.trouble());
    if (speaks && blind != held) {
      set(Setting.BLIND, scope, blind, blind ? node.trouble() : "covered");
    }
  }

  /** A primary that is none any more holds nothing. */
  private void releaseWhatIsGone(List<NodeSight> sights) {
    Set<Scope> present = new HashSet<>();
    Set<String> stores = new HashSet<>();
    for (NodeSight node : sights) {
      present.add(Scope.node(node.store(), node.node()));
      stores.add(node.store());
    }
    for (Directive d : book.on(Setting.BLIND)) {
      if (!present.contains(d.scope()) && stores.contains(d.scope().store().orElse(""))) {
        set(Setting.BLIND, d.scope(), false, "no primary of the store any more");
      }
    }
  }

  private void set(Setting setting, Scope scope, boolean on, String cause) {
    Directive directive =
        new Directive(
            setting, scope, on ? Directive.ON : Directive.OFF, owner, cause, clock.millis());
    publish.accept(directive.validated());
    if (setting == Setting.BRAKE) {
      engaged.add(scope.name());
    }
  }
}
