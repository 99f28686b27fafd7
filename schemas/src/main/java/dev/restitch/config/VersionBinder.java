package dev.restitch.config;

import dev.restitch.config.VersionConfig.Order;
import dev.restitch.key.KeyPattern;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Binds the order of versions of one relation. */
final class VersionBinder {

  private static final Map<String, Order> ORDERS = new LinkedHashMap<>();

  static {
    ORDERS.put("counter", Order.COUNTER);
    ORDERS.put("timestamp", Order.TIMESTAMP);
    ORDERS.put("none", Order.NONE);
  }

  private VersionBinder() {}

  static VersionConfig bind(Section relation, Set<String> captures, Set<String> stores) {
    Section version = relation.child("version", "order", "store", "key", "max-skew");
    Order order = Values.choice(version, "order", ORDERS).orElse(Order.NONE);
    if (version.given() && !version.has("order")) {
      version.problem("order", "is missing; one of counter, timestamp, none");
    }
    String store = null;
    KeyPattern key = null;
    if (version.has("store") || version.has("key")) {
      String example = "version: { order: counter, store: east, key: \"user:{id}:version\" }";
      store = Values.reference(version, "store", "store", stores, example).orElse(null);
      key = Captures.pattern(version, captures, example).orElse(null);
      if (order == Order.NONE && version.has("order")) {
        version.problem("order", "is none, so that store and key have no use");
      }
    }
    return new VersionConfig(order, store, key, maxSkew(version, order));
  }

  private static Duration maxSkew(Section version, Order order) {
    Optional<Duration> skew = version.parse("max-skew", version.text("max-skew"), Durations::parse);
    if (order == Order.TIMESTAMP && !version.has("max-skew")) {
      version.problem(
          "max-skew",
          "is missing; order timestamp needs the greatest skew of the writers' clocks, such as"
              + " 250ms");
    }
    if (order != Order.TIMESTAMP && version.has("max-skew")) {
      version.problem("max-skew", "has no use without order: timestamp");
    }
    return skew.orElse(Duration.ZERO);
  }
}
