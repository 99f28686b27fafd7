package dev.restitch.doctor;

import java.util.Map;
import java.util.Optional;

/**
 * A server's configuration, as far as it was asked for.
 *
 * @param blocked what the server said where it does not let its configuration be seen; null: it
 *     does
 */
record Settings(Map<String, String> values, String blocked) {

  Settings {
    values = Map.copyOf(values);
  }

  Optional<String> get(String name) {
    return Optional.ofNullable(values.get(name));
  }

  /** True if only the user's rights are in the way. */
  boolean forbidden() {
    return blocked != null && blocked.startsWith("NOPERM");
  }
}
