package dev.restitch.sandbox.workload;

import dev.restitch.config.RelationConfig;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * The instances that are written. One is taken by one act at a time, and torn at most once in a
 * run. Instances are taken on one thread and given back on any.
 */
final class Pool {

  private static final int FREE = 0;
  private static final int TAKEN = 1;

  private final List<Instance> instances = new ArrayList<>();
  private final Map<String, Integer> byName = new HashMap<>();
  private final AtomicIntegerArray states;
  private final boolean[] torn;

  Pool(Collection<RelationConfig> relations, int perRelation) {
    for (int i = 0; i < perRelation; i++) {
      for (RelationConfig relation : relations) {
        Instance instance = new Instance(relation, String.format("%05d", i));
        byName.put(instance.name(), instances.size());
        instances.add(instance);
      }
    }
    states = new AtomicIntegerArray(instances.size());
    torn = new boolean[instances.size()];
  }

  /**
   * Takes a drawn instance, or the next that is free and suits.
   *
   * @return empty if there is none now
   */
  Optional<Instance> take(Act act, Random random) {
    int drawn = random.nextInt(instances.size());
    for (int i = 0; i < instances.size(); i++) {
      int at = (drawn + i) % instances.size();
      Instance instance = instances.get(at);
      boolean again = act instanceof Tear && torn[at];
      if (!again
          && act.suits(instance.relation().name())
          && states.compareAndSet(at, FREE, TAKEN)) {
        torn[at] |= act instanceof Tear;
        return Optional.of(instance);
      }
    }
    return Optional.empty();
  }

  void giveBack(String instance) {
    states.set(byName.get(instance), FREE);
  }

  List<Instance> all() {
    return instances;
  }
}
