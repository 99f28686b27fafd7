package dev.restitch.sandbox.history;

import java.util.ArrayList;
import java.util.List;

/** One instance that the generator writes to: what its sides carry, and since when. */
final class Subject {

  final String instance;
  final List<String> keys;
  final Lines.Held[] held;
  final long[] writtenAt;
  long version;
  long busyUntil;
  boolean torn;

  Subject(String relation, int id, List<String> sides) {
    this.instance = relation + "/" + id;
    this.keys = new ArrayList<>(sides.size());
    this.held = new Lines.Held[sides.size()];
    this.writtenAt = new long[sides.size()];
    for (int i = 0; i < sides.size(); i++) {
      String key = relation + ":" + id + ":" + sides.get(i);
      keys.add(key);
      held[i] = new Lines.Held(key, null, null);
    }
  }

  /** True once every side carries something. */
  boolean written() {
    for (Lines.Held h : held) {
      if (h.token() == null) {
        return false;
      }
    }
    return true;
  }

  /** A write of one side at this time or just after the last one there; returns its time. */
  long write(int side, long at, Long newVersion, String token) {
    long when = Math.max(at, writtenAt[side] + 1);
    held[side] = new Lines.Held(keys.get(side), newVersion, token);
    writtenAt[side] = when;
    busyUntil = Math.max(busyUntil, when);
    return when;
  }
}
