package dev.restitch.sandbox.simulation;

import dev.restitch.avro.KeyState;
import dev.restitch.avro.Reading;
import dev.restitch.model.StoreKey;

/** Readings, as watcher and prober take them. */
final class Looks {

  private Looks() {}

  static Reading side(Store store, StoreKey key) {
    Value value = store.get(key);
    Reading.Builder reading =
        reading(store, key, value, value == null ? KeyState.ABSENT : KeyState.STAMPED);
    if (value == null) {
      return reading.build();
    }
    if (value.stamp() == null) {
      return reading.setState(KeyState.UNSTAMPED).build();
    }
    return reading
        .setVersion(value.stamp().version())
        .setToken(value.stamp().token().toBuffer())
        .setLength((long) value.payload().length())
        .build();
  }

  static Reading marker(Store store, StoreKey key) {
    Value value = store.get(key);
    return reading(store, key, value, value == null ? KeyState.ABSENT : KeyState.PRESENT).build();
  }

  private static Reading.Builder reading(Store store, StoreKey key, Value value, KeyState state) {
    return Reading.newBuilder()
        .setStore(key.store())
        .setKey(key.key().toBuffer())
        .setState(state)
        .setExpiresAtMillis(value == null || value.expiresAt() < 0 ? null : value.expiresAt())
        .setPrimary(store.runId());
  }
}
