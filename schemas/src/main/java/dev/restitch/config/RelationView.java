package dev.restitch.config;

import dev.restitch.config.RepairPolicyConfig.Policy;
import dev.restitch.config.VersionConfig.Order;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Shows one relation with its defaults. It holds no secrets. */
final class RelationView {

  private RelationView() {}

  static Map<String, Object> of(RelationConfig relation) {
    Map<String, Object> view = new LinkedHashMap<>();
    Map<String, Object> sides = new LinkedHashMap<>();
    relation.sides().forEach(side -> sides.put(side.name(), side(side)));
    view.put("sides", sides);
    view.put("stamp", relation.stamp().toString());
    view.put("version", version(relation.version()));
    if (relation.marker() != null) {
      view.put("marker", marker(relation.marker()));
    }
    view.put("writes", relation.writesAll() ? "all" : "some");
    view.put("intents", relation.intentsRequired() ? "required" : "optional");
    view.put("settle", Durations.format(relation.settle()));
    view.put("memory", Durations.format(relation.memory()));
    view.put("ttl-tolerance", Durations.format(relation.ttlTolerance()));
    view.put("patience", Durations.format(relation.patience()));
    List<Object> repair = new ArrayList<>();
    relation.repair().forEach(policy -> repair.add(policy(policy)));
    view.put("repair", repair);
    view.put("stamp-limit", relation.stampLimit());
    view.put("rate", relation.rate());
    view.put("concurrency", relation.concurrency());
    view.put("approval", relation.approval() ? "required" : "none");
    Map<String, Object> brake = new LinkedHashMap<>();
    brake.put("share", relation.brake().share());
    brake.put("count", relation.brake().count());
    view.put("brake", brake);
    view.put("generations", relation.generations());
    if (!relation.verdicts().isEmpty()) {
      Map<String, Object> verdicts = new LinkedHashMap<>();
      relation.verdicts().forEach((verdict, what) -> verdicts.put(verdict.name(), lower(what)));
      view.put("verdicts", verdicts);
    }
    return view;
  }

  private static Map<String, Object> side(SideConfig side) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("store", side.store());
    view.put("key", side.key().toString());
    ConfigView.putIfSet(view, "payload", side.payload());
    view.put("type", lower(side.type()));
    if (side.type() == SideType.HASH) {
      Map<String, Object> fields = new LinkedHashMap<>();
      ConfigView.putIfSet(fields, "version", side.versionField());
      ConfigView.putIfSet(fields, "token", side.tokenField());
      view.put("fields", fields);
    }
    return view;
  }

  private static Map<String, Object> version(VersionConfig version) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("order", lower(version.order()));
    if (version.mintable()) {
      view.put("store", version.store());
      view.put("key", version.key().toString());
    }
    if (version.order() == Order.TIMESTAMP) {
      view.put("max-skew", Durations.format(version.maxSkew()));
    }
    return view;
  }

  private static Map<String, Object> marker(MarkerConfig marker) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("store", marker.store());
    view.put("key", marker.key().toString());
    if (marker.ttl() != null) {
      view.put("ttl", Durations.format(marker.ttl()));
    }
    view.put("fenced", marker.fenced());
    return view;
  }

  private static Map<String, Object> policy(RepairPolicyConfig config) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("policy", config.policy().label());
    if (config.policy() == Policy.SOURCE_OF_TRUTH) {
      view.put("source", config.source());
      view.put("missing", config.deleteMissing() ? "delete" : "report");
    }
    if (config.regenerate() != null) {
      view.put("regenerate", regenerate(config.regenerate()));
    }
    if (!config.on().isEmpty()) {
      view.put("on", config.on().stream().map(Enum::name).toList());
    }
    return view;
  }

  private static Object regenerate(Regeneration regeneration) {
    if (regeneration.targets().isEmpty()) {
      return "copy";
    }
    Map<String, Object> view = new LinkedHashMap<>();
    regeneration
        .targets()
        .forEach(
            (side, from) -> {
              Map<String, Object> made = new LinkedHashMap<>();
              made.put("from", from.side());
              ConfigView.putIfSet(made, "mapping", from.mapping());
              view.put(side, made);
            });
    return view;
  }

  private static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
