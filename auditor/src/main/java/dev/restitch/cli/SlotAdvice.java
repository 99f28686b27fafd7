package dev.restitch.cli;

import dev.restitch.config.RelationConfig;
import dev.restitch.config.SideConfig;
import dev.restitch.model.Bytes;
import io.lettuce.core.cluster.SlotHash;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Which sides of a relation always share a cluster slot, and what would make all of them do. A tag
 * is what stands between the first brace and the next closing one; where there is one, it alone is
 * hashed (CRC16 modulo 16384).
 */
final class SlotAdvice {

  private static final int SAMPLES = 16;

  private final RelationConfig relation;

  SlotAdvice(RelationConfig relation) {
    this.relation = relation;
  }

  /** The slot of a key. */
  static int slot(Bytes key) {
    return SlotHash.getSlot(key.toArray());
  }

  /** The tag of a key; empty: the whole key is hashed. */
  static Optional<Bytes> tag(Bytes key) {
    int open = key.indexOf(Bytes.utf8("{"), 0);
    int close = open < 0 ? -1 : key.indexOf(Bytes.utf8("}"), open + 1);
    return close > open + 1 ? Optional.of(key.slice(open + 1, close)) : Optional.empty();
  }

  /** Instances that stand for all others. */
  private List<String> samples() {
    List<String> samples = new ArrayList<>();
    for (int i = 0; i < SAMPLES; i++) {
      StringBuilder name = new StringBuilder(relation.name());
      for (int id = 0; id < relation.captureNames().size(); id++) {
        name.append('/').append("id").append(id).append('x').append(i);
      }
      samples.add(name.toString());
    }
    return samples;
  }

  /** True if two sides stand in one store and in one slot, whatever the instance. */
  boolean share(int a, int b) {
    return relation.sides().get(a).store().equals(relation.sides().get(b).store())
        && samples().stream()
            .allMatch(i -> slot(relation.keyOf(i, a).key()) == slot(relation.keyOf(i, b).key()));
  }

  /** True if all sides of an instance always share a slot. */
  boolean atomic() {
    for (int i = 1; i < relation.sides().size(); i++) {
      if (!share(0, i)) {
        return false;
      }
    }
    return true;
  }

  /** Sentences that say whether a tag would make a transaction atomic, with the renamed keys. */
  List<String> sentences() {
    List<SideConfig> sides = relation.sides();
    if (sides.size() == 1) {
      return List.of("one side only: no tag joins instances, whose transactions may span slots");
    }
    if (atomic()) {
      return List.of(
          "all sides share a slot: MULTI, or a script, writes them at once, and they cannot tear");
    }
    List<String> all = new ArrayList<>();
    Set<String> stores = new HashSet<>();
    sides.forEach(side -> stores.add(side.store()));
    if (stores.size() > 1) {
      all.add(
          "its sides stand in "
              + stores.size()
              + " stores: no tag helps before all of them stand in one");
    }
    Optional<String> capture =
        relation.captureNames().stream()
            .filter(name -> sides.stream().allMatch(s -> s.key().names().contains(name)))
            .findFirst();
    if (capture.isEmpty() || sides.stream().anyMatch(s -> s.key().toString().contains("{{"))) {
      all.add("its keys carry braces already, or share no capture: choose a tag by hand");
      return all;
    }
    for (SideConfig side : sides) {
      all.add("rename " + side.key() + " to " + tagged(side, capture.get()));
    }
    all.add(
        "that costs: every key is copied once and every reader and writer changes; all sides of an"
            + " instance are on one shard, which one hot "
            + capture.get()
            + " can load alone; MULTI or a script for each write");
    return all;
  }

  private static String tagged(SideConfig side, String capture) {
    return side.key().toString().replace("{" + capture + "}", "{{{" + capture + "}}}");
  }
}
