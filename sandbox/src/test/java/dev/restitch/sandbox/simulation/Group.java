package dev.restitch.sandbox.simulation;

import dev.restitch.avro.RepairCommand;
import java.util.ArrayList;
import java.util.List;

/** The topic of commands, and the consumer group that shares it out: one partition an instance. */
final class Group {

  private final List<List<RepairCommand>> logs = new ArrayList<>();
  private final long[] committed;
  private final Worker[] owners;

  Group(int partitions) {
    for (int i = 0; i < partitions; i++) {
      logs.add(new ArrayList<>());
    }
    committed = new long[partitions];
    owners = new Worker[partitions];
  }

  int partitions() {
    return owners.length;
  }

  void append(int partition, RepairCommand command) {
    logs.get(partition).add(command);
    if (owners[partition] != null) {
      owners[partition].more(partition);
    }
  }

  /** All that was ever commanded. */
  List<RepairCommand> all() {
    return logs.stream().flatMap(List::stream).toList();
  }

  List<RepairCommand> log(int partition) {
    return logs.get(partition);
  }

  Worker owner(int partition) {
    return owners[partition];
  }

  /** Gives a partition away, with all that was not committed; the old owner may not know yet. */
  void give(int partition, Worker to) {
    owners[partition] = to;
    if (to != null) {
      to.given(partition, committed[partition]);
    }
  }

  /** Refused where the partition is another's by now. */
  boolean commit(int partition, Worker by, long offset) {
    boolean mine = owners[partition] == by;
    if (mine) {
      committed[partition] = Math.max(committed[partition], offset);
    }
    return mine;
  }

  /** True if all commands are seen through, and committed. */
  boolean idle() {
    for (int i = 0; i < owners.length; i++) {
      if (committed[i] < logs.get(i).size()) {
        return false;
      }
    }
    return true;
  }
}
