package dev.restitch.worker.command;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Knows up to where every record of a partition has been dealt with, whatever the order in which
 * they end. Thread-safe.
 */
final class OffsetTracker {

  private static final class Partition {
    private final TreeSet<Long> open = new TreeSet<>();
    private long next;
    private long committed = -1;

    long covered() {
      return open.isEmpty() ? next : open.first();
    }
  }

  private final Map<TopicPartition, Partition> partitions = new HashMap<>();
  private int open;

  /** A record has been taken. */
  synchronized void begin(TopicPartition partition, long offset) {
    Partition known = partitions.computeIfAbsent(partition, p -> new Partition());
    if (known.open.add(offset)) {
      open++;
    }
    known.next = Math.max(known.next, offset + 1);
  }

  /** A record has been dealt with; ignored where the partition was lost in between. */
  synchronized void end(TopicPartition partition, long offset) {
    Partition known = partitions.get(partition);
    if (known != null && known.open.remove(offset)) {
      open--;
    }
  }

  /** A record was not taken after all, and will be read again. */
  synchronized void undo(TopicPartition partition, long offset) {
    Partition known = partitions.get(partition);
    if (known != null && known.open.remove(offset)) {
      open--;
      known.next = offset;
    }
  }

  /** True if the record was taken, and has neither been dealt with nor lost. */
  synchronized boolean holds(TopicPartition partition, long offset) {
    Partition known = partitions.get(partition);
    return known != null && known.open.contains(offset);
  }

  /** Records that have not been dealt with. */
  synchronized int open() {
    return open;
  }

  /** What may be committed and has not been, of all partitions. */
  synchronized Map<TopicPartition, OffsetAndMetadata> due() {
    Map<TopicPartition, OffsetAndMetadata> due = new HashMap<>();
    partitions.forEach(
        (partition, known) -> {
          if (known.covered() > known.committed) {
            due.put(partition, new OffsetAndMetadata(known.covered()));
          }
        });
    return due;
  }

  /** These offsets have been committed. */
  synchronized void committed(Map<TopicPartition, OffsetAndMetadata> offsets) {
    offsets.forEach(
        (partition, offset) -> {
          Partition known = partitions.get(partition);
          if (known != null) {
            known.committed = Math.max(known.committed, offset.offset());
          }
        });
  }

  /** These partitions belong to others now. */
  synchronized void forget(Collection<TopicPartition> lost) {
    for (TopicPartition partition : lost) {
      Partition known = partitions.remove(partition);
      if (known != null) {
        open -= known.open.size();
      }
    }
  }
}
