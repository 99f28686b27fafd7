package dev.restitch.sandbox.simulation;

import dev.restitch.model.Bytes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The authoritative database: one row an instance, and all that it has ever been. */
final class TruthTable {

  /**
   * A row as one commit left it.
   *
   * @param payloads of each side; empty: there is no row
   */
  record Row(long version, String transaction, List<Optional<Bytes>> payloads) {}

  private final Map<String, List<Row>> rows = new HashMap<>();

  /**
   * Commits, unless something newer was committed before; true if it did.
   *
   * @param anyway true: versions have gone back, and say nothing
   */
  boolean commit(String instance, Row row, boolean anyway) {
    List<Row> past = rows.computeIfAbsent(instance, i -> new ArrayList<>());
    if (!anyway && !past.isEmpty() && past.get(past.size() - 1).version() >= row.version()) {
      return false;
    }
    return past.add(row);
  }

  /** All rows that were committed, oldest first. */
  List<Row> past(String instance) {
    return rows.getOrDefault(instance, List.of());
  }

  Optional<Row> now(String instance) {
    List<Row> past = past(instance);
    return past.isEmpty() ? Optional.empty() : Optional.of(past.get(past.size() - 1));
  }
}
