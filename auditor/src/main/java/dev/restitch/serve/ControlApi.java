package dev.restitch.serve;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.restitch.avro.Incident;
import dev.restitch.brake.TornShares.Share;
import dev.restitch.config.RestitchConfig;
import dev.restitch.control.ControlBook;
import dev.restitch.control.ControlDesk;
import dev.restitch.control.Directive;
import dev.restitch.control.Proposal;
import dev.restitch.control.Scope;
import dev.restitch.control.Setting;
import dev.restitch.model.Verdict;
import dev.restitch.operations.OperationsJournal;
import io.javalin.http.Context;
import java.time.Clock;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.common.KafkaException;

/**
 * What is set, and setting it: {@code /api/v1/controls}, {@code /api/v1/brake}, {@code
 * /api/v1/repairs}. Every change names its owner and cause, is a dry run unless it says {@code
 * "apply": true}, and is written to the operations log. Thread-safe.
 */
final class ControlApi {

  private final RestitchConfig config;
  private final IncidentFeed incidents;
  private final ControlBook book;
  private final ControlDesk desk;
  private final Supplier<List<Share>> shares;
  private final OperationsJournal journal;
  private final Clock clock;

  ControlApi(
      RestitchConfig config,
      IncidentFeed incidents,
      ControlBook book,
      ControlDesk desk,
      Supplier<List<Share>> shares,
      OperationsJournal journal,
      Clock clock) {
    this.config = config;
    this.incidents = incidents;
    this.book = book;
    this.desk = desk;
    this.shares = shares;
    this.journal = journal;
    this.clock = clock;
  }

  /** Everything that is set, that which is off again too. */
  void list(Context ctx) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    ArrayNode items = body.putArray("controls");
    book.all().forEach(d -> items.add(view(d)));
    Answers.json(ctx, body);
  }

  /** Sets something. */
  void set(Context ctx) {
    Optional<String> objection = CrossSite.objection(config.management(), ctx::header);
    if (objection.isPresent()) {
      Answers.problem(ctx, 403, objection.get());
      return;
    }
    ControlRequest request;
    try {
      request = ControlRequest.read(ctx.body(), config, incidents::byId, clock.millis());
    } catch (IllegalArgumentException e) {
      Answers.problem(ctx, 400, e.getMessage());
      return;
    }
    Directive after = request.directive();
    Optional<Directive> before = book.get(after.setting(), after.scope());
    if (request.apply() && !publish(ctx, after, before)) {
      return;
    }
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.put("applied", request.apply());
    body.set("before", before.map(ControlApi::view).orElse(null));
    body.set("after", view(after));
    body.put("openIncidents", incidents.all().stream().filter(i -> concerns(after, i)).count());
    Answers.json(ctx, body);
  }

  private boolean publish(Context ctx, Directive after, Optional<Directive> before) {
    OperationsJournal.Entry entry =
        journal
            .entry("control")
            .owner(after.owner())
            .cause(after.cause())
            .with("setting", after.setting().label())
            .with("scope", after.scope())
            .with("before", before.map(Directive::value).orElse(null))
            .with("after", after.value());
    try {
      desk.publish(after);
      entry.with("outcome", "set").write();
      return true;
    } catch (KafkaException e) {
      entry.with("outcome", "not confirmed").with("detail", e.getMessage()).write();
      Answers.problem(ctx, 503, e.getMessage() + "; whether it holds is not known: set it again");
      return false;
    }
  }

  private boolean concerns(Directive d, Incident i) {
    if (IncidentFeed.closed(i)) {
      return false;
    }
    Scope scope = d.scope();
    return switch (scope.kind()) {
      case EVERYWHERE -> true;
      case RELATION -> scope.name().equals(i.getRelation());
      case STORE, NODE -> stores(i).contains(scope.store().orElseThrow());
      case INCIDENT -> scope.equals(Scope.incident(i.getInstance(), i.getId()));
      case RULE -> verdict(i).filter(v -> scope.names(i.getInstance(), v)).isPresent();
    };
  }

  /** How the brake of every store stands, and what feeds it. */
  void brake(Context ctx) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    ArrayNode stores = body.putArray("stores");
    List<Share> now = shares.get();
    for (String store : config.stores().keySet()) {
      ObjectNode item = stores.addObject().put("store", store);
      Optional<Directive> brake = book.get(Setting.BRAKE, Scope.store(store)).filter(Directive::on);
      item.put("engaged", brake.isPresent());
      item.put("cause", brake.map(Directive::cause).orElse(null));
      item.put("owner", brake.map(Directive::owner).orElse(null));
      item.put("since", brake.map(Directive::atMillis).orElse(null));
      ArrayNode blind = item.putArray("blind");
      book.on(Setting.BLIND).stream()
          .filter(d -> d.scope().store().filter(store::equals).isPresent())
          .forEach(d -> blind.addObject().put("node", d.scope().name()).put("why", d.cause()));
      ArrayNode minute = item.putArray("lastMinute");
      now.stream()
          .filter(s -> s.store().equals(store))
          .forEach(
              s ->
                  minute
                      .addObject()
                      .put("relation", s.relation())
                      .put("judged", s.judged())
                      .put("torn", s.torn()));
    }
    Answers.json(ctx, body);
  }

  /** Incidents that are to be repaired, and what holds each back. */
  void repairs(Context ctx) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    ArrayNode items = body.putArray("repairs");
    incidents.all().stream()
        .filter(i -> !IncidentFeed.closed(i) && !i.getAction().equals("report"))
        .filter(i -> asked(ctx, i))
        .forEach(i -> items.add(repair(i)));
    Answers.json(ctx, body);
  }

  private static boolean asked(Context ctx, Incident i) {
    String relation = ctx.queryParam("relation");
    return relation == null || relation.equals(i.getRelation());
  }

  /** One of them, with all that stands in its incident. */
  void repair(Context ctx) {
    String id = ctx.pathParam("id");
    Optional<Incident> incident = incidents.byId(id);
    if (incident.isEmpty()) {
      Answers.problem(ctx, 404, "no incident " + id + " is known; try /api/v1/repairs");
      return;
    }
    ObjectNode body = IncidentView.full(incident.get());
    putHold(body, incident.get());
    Answers.json(ctx, body);
  }

  private ObjectNode repair(Incident i) {
    ObjectNode item = IncidentView.brief(i);
    putHold(item, i);
    return item;
  }

  private void putHold(ObjectNode item, Incident i) {
    verdict(i)
        .filter(v -> !IncidentFeed.closed(i) && config.relations().containsKey(i.getRelation()))
        .flatMap(v -> book.hold(proposal(i, v)))
        .ifPresent(hold -> item.put("hold", hold.reason().label()).put("holdDetail", hold.words()));
  }

  private Proposal proposal(Incident i, Verdict verdict) {
    return new Proposal(
        i.getRelation(),
        i.getInstance(),
        i.getId(),
        verdict,
        i.getAction(),
        stores(i),
        config.relations().get(i.getRelation()).approval());
  }

  /** The stores that its repair would write. */
  private Set<String> stores(Incident i) {
    Set<String> stores = new LinkedHashSet<>();
    i.getBehind().forEach(key -> stores.add(key.getStore()));
    if (i.getAction().equals("source-of-truth")
        && config.relations().containsKey(i.getRelation())) {
      config.relations().get(i.getRelation()).sides().forEach(side -> stores.add(side.store()));
    }
    return stores;
  }

  private static Optional<Verdict> verdict(Incident i) {
    return Arrays.stream(Verdict.values()).filter(v -> v.name().equals(i.getVerdict())).findFirst();
  }

  private static ObjectNode view(Directive d) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("setting", d.setting().label())
        .put("scope", d.scope().toString())
        .put("value", d.value())
        .put("owner", d.owner())
        .put("cause", d.cause())
        .put("at", d.atMillis());
  }
}
