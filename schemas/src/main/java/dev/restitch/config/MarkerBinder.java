package dev.restitch.config;

import dev.restitch.key.KeyPattern;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** Binds the commit marker of one relation. */
final class MarkerBinder {

  private static final String EXAMPLE =
      "marker: { store: east, key: \"txn:{token}:committed\", ttl: 1h }";

  private MarkerBinder() {}

  /** Null where the relation has no marker. */
  static MarkerConfig bind(Section relation, Set<String> captures, Set<String> stores) {
    Section marker = relation.child("marker", "store", "key", "ttl", "fenced");
    if (!marker.given()) {
      return null;
    }
    Set<String> known = new HashSet<>(captures);
    known.add("token");
    Optional<KeyPattern> key = Captures.pattern(marker, known, EXAMPLE);
    if (key.isPresent() && !key.get().names().contains("token")) {
      marker.problem("key", "must contain {token}, for example \"txn:{token}:committed\"");
    }
    return new MarkerConfig(
        Values.reference(marker, "store", "store", stores, EXAMPLE).orElse(null),
        key.orElse(null),
        Values.duration(marker, "ttl", null),
        Values.flag(marker, "fenced", false));
  }
}
