package dev.restitch.probe;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Knows which records are done, in whatever order they end, and so up to where each partition may
 * be committed. Thread-safe.
 */
final class OffsetLedger {

  private final Map<TopicPartition, Page> pages = new HashMap<>();
  private int open;

  private static final class Page {
    final TreeSet<Long> open = new TreeSet<>();
    long next;
    long committed = -1;

    long position() {
      return open.isEmpty() ? next : open.first();
    }
  }

  /** A record was read. */
  synchronized void begin(TopicPartition partition, long offset) {
    Page page = pages.computeIfAbsent(partition, p -> new Page());
    if (page.open.add(offset)) {
      open++;
    }
    page.next = Math.max(page.next, offset + 1);
  }

  /** A record is done; of a partition that was taken away, this is nothing. */
  synchronized void done(TopicPartition partition, long offset) {
    Page page = pages.get(partition);
    if (page != null && page.open.remove(offset)) {
      open--;
    }
  }

  /** Records that are not done. */
  synchronized int open() {
    return open;
  }

  /** What may be committed and was not yet. */
  synchronized Map<TopicPartition, OffsetAndMetadata> due() {
    Map<TopicPartition, OffsetAndMetadata> due = new HashMap<>();
    pages.forEach(
        (partition, page) -> {
          if (page.position() > page.committed) {
            due.put(partition, new OffsetAndMetadata(page.position()));
          }
        });
    return due;
  }

  /** These are committed. */
  synchronized void committed(Map<TopicPartition, OffsetAndMetadata> offsets) {
    offsets.forEach(
        (partition, offset) -> {
          Page page = pages.get(partition);
          if (page != null) {
            page.committed = Math.max(page.committed, offset.offset());
          }
        });
  }

  /** These partitions are another's now. */
  synchronized void forget(Collection<TopicPartition> partitions) {
    for (TopicPartition partition : partitions) {
      Page page = pages.remove(partition);
      open -= page == null ? 0 : page.open.size();
    }
  }
}
