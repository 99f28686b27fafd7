package dev.restitch.sweep;

import dev.restitch.avro.Gap;
import dev.restitch.avro.Sweep;
import dev.restitch.watch.NodeShare;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What is known of gaps and sweeps, whoever told it: the gaps of each node, by their offsets in the
 * gap topic's first partition, and how far each node is swept. A sweep of a node that began when
 * the gaps up to an offset were known closes the node's gaps up to it. Thread-safe.
 */
public final class SweepBook {

  private final Map<String, TreeMap<Long, OpenGap>> gaps = new HashMap<>();
  private final Map<String, Sweep> marks = new HashMap<>();
  private final Map<String, Long> closed = new HashMap<>();
  private long gapsRead = -1;

  /**
   * A gap that is not swept yet.
   *
   * @param name of its node, {@code store/host:port}
   * @param offset in the gap topic's first partition
   * @param toldAtMillis the brokers' time
   */
  public record OpenGap(String name, long offset, Gap gap, long toldAtMillis) {}

  /** Takes a gap that a watcher has told. */
  public synchronized void gap(Gap gap, long offset, long toldAtMillis) {
    gapsRead = Math.max(gapsRead, offset);
    String name = NodeShare.name(gap.getStore(), gap.getNode());
    if (offset <= sweptThrough(name)) {
      closed.merge(name, 1L, Long::sum);
    } else {
      gaps.computeIfAbsent(name, n -> new TreeMap<>())
          .put(offset, new OpenGap(name, offset, gap, toldAtMillis));
    }
  }

  /** All gaps up to this offset are taken. */
  public synchronized void gapsRead(long offset) {
    gapsRead = Math.max(gapsRead, offset);
  }

  /** Takes what a sweeper says of a node. */
  public synchronized void mark(Sweep mark) {
    String name = NodeShare.name(mark.getStore(), mark.getNode());
    marks.put(name, mark);
    close(name, sweptThrough(name));
  }

  /** The gaps up to an offset are swept, by sweeps of other nodes. */
  synchronized void close(String name, long offset) {
    TreeMap<Long, OpenGap> open = gaps.get(name);
    if (open != null) {
      Map<Long, OpenGap> swept = open.headMap(offset, true);
      closed.merge(name, (long) swept.size(), Long::sum);
      swept.clear();
    }
  }

  /** What was last said of a node's sweep. */
  public synchronized Optional<Sweep> mark(String name) {
    return Optional.ofNullable(marks.get(name));
  }

  /** What was last said of every node's sweep. */
  public synchronized List<Sweep> marks() {
    return List.copyOf(marks.values());
  }

  /** The offset up to which gaps are known. */
  synchronized long gapsRead() {
    return gapsRead;
  }

  /** A node's gaps that are not swept yet, the oldest first. */
  public synchronized List<OpenGap> open(String name) {
    return List.copyOf(gaps.getOrDefault(name, new TreeMap<>()).values());
  }

  /** All gaps that are not swept yet, the oldest first. */
  public synchronized List<OpenGap> open() {
    return gaps.values().stream()
        .flatMap(open -> open.values().stream())
        .sorted(Comparator.comparingLong(OpenGap::offset))
        .toList();
  }

  /** The oldest gap of a node that is not swept yet. */
  synchronized Optional<OpenGap> oldest(String name) {
    TreeMap<Long, OpenGap> open = gaps.get(name);
    return open == null || open.isEmpty()
        ? Optional.empty()
        : Optional.of(open.firstEntry().getValue());
  }

  /** Gaps not swept yet, of nodes of a store that are none of these. */
  public synchronized List<OpenGap> openElsewhere(String store, Collection<String> names) {
    List<OpenGap> elsewhere = new ArrayList<>();
    gaps.forEach(
        (name, open) -> {
          if (!names.contains(name)) {
            open.values().stream()
                .filter(gap -> gap.gap().getStore().equals(store))
                .forEach(elsewhere::add);
          }
        });
    return elsewhere;
  }

  /** How many of a node's gaps are swept, of those that the topic still holds. */
  public synchronized long closed(String name) {
    return closed.getOrDefault(name, 0L);
  }

  /** Gaps swept, of all nodes. */
  public synchronized long closed() {
    return closed.values().stream().mapToLong(Long::longValue).sum();
  }

  /** The offset up to which a node's gaps are swept; -1: none. */
  synchronized long sweptThrough(String name) {
    Sweep mark = marks.get(name);
    // beyond what there is: the gap topic was made anew, and its offsets begin again
    return mark == null || mark.getSweptThrough() > gapsRead ? -1 : mark.getSweptThrough();
  }
}
