package dev.restitch.writer;

import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What became of a write.
 *
 * @param version the version; null where the relation's stamp has none
 * @param sides by key, in the order of the request
 * @param markers by marker key; empty where there is none
 */
public record WriteReport(
    Bytes token, Long version, Map<StoreKey, KeyResult> sides, Map<StoreKey, KeyResult> markers) {

  public WriteReport {
    sides = Collections.unmodifiableMap(new LinkedHashMap<>(sides));
    markers = Collections.unmodifiableMap(new LinkedHashMap<>(markers));
  }

  /** True if every side and marker stands, or something newer does. */
  public boolean complete() {
    return sides.values().stream().allMatch(r -> r.status().ok())
        && markers.values().stream().allMatch(r -> r.status().ok());
  }
}
