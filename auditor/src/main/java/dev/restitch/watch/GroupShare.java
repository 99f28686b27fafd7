package dev.restitch.watch;

import dev.restitch.avro.Coverage;
import dev.restitch.config.RestitchConfig;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.utils.Utils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shares the nodes by a Kafka consumer group: the brokers give every partition of a topic to one
 * live member, and a member watches the nodes whose names hash to its partitions. The group is only
 * for this; nothing is read from the topic. A member that dies loses its partitions after the
 * session timeout, one that leaves at once. Which node belongs to which partition depends on its
 * name alone, so that members need not agree on which nodes there are.
 *
 * <p>Thread-safe. The feed belongs to the caller.
 */
public final class GroupShare implements NodeShare, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(GroupShare.class);
  private static final Duration POLL = Duration.ofMillis(200);
  private static final long RETRY_NANOS = 1_000_000_000L;
  private static final long CLOSE_MILLIS = 10_000;

  private final Supplier<Consumer<String, byte[]>> open;
  private final String topic;
  private final int partitions;
  private final CoverageFeed feed;
  private final Thread thread;
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private volatile Set<Integer> mine = Set.of();
  private volatile boolean assigned;
  private volatile boolean closed;

  /**
   * A share that is empty before {@link #start}.
   *
   * @param open makes a consumer of the auditors' group; closed by the share
   * @param topic whose partitions stand for shares
   * @param partitions how many it has, the same for every auditor
   */
  public GroupShare(
      Supplier<Consumer<String, byte[]>> open, String topic, int partitions, CoverageFeed feed) {
    this.open = open;
    this.topic = topic;
    this.partitions = partitions;
    this.feed = feed;
    this.thread = new Thread(this::run, "restitch-node-share");
    this.thread.setDaemon(true);
  }

  /** The consumer group of all watchers. */
  public static String group(RestitchConfig config) {
    return config.topics().prefix() + "-watcher";
  }

  /** Joins the group. */
  public void start() {
    thread.start();
  }

  /** The partition that stands for a node: by the hash that Kafka places keys with. */
  static int partition(String name, int partitions) {
    return Utils.toPositive(Utils.murmur2(name.getBytes(StandardCharsets.UTF_8))) % partitions;
  }

  @Override
  public boolean owns(String name) {
    return mine.contains(partition(name, partitions));
  }

  @Override
  public boolean settled() {
    return assigned;
  }

  @Override
  public CompletableFuture<Optional<Coverage>> lastMark(String name) {
    return feed.lastMark(name);
  }

  @Override
  public Optional<Coverage> present(String name) {
    return feed.present(name);
  }

  @Override
  public void onChange(Runnable listener) {
    listeners.add(listener);
  }

  private void run() {
    while (!closed) {
      try (Consumer<String, byte[]> consumer = open.get()) {
        consumer.subscribe(List.of(topic), new Shares(consumer));
        while (!closed) {
          consumer.poll(POLL);
        }
      } catch (WakeupException | InterruptException e) {
        LOG.atDebug().log("share of the nodes interrupted");
        return;
      } catch (KafkaException e) {
        LOG.atWarn()
            .addKeyValue("topic", topic)
            .addKeyValue("reason", e.getMessage())
            .log("cannot take part in sharing the nodes, trying again");
        LockSupport.parkNanos(RETRY_NANOS);
      }
    }
  }

  private void change(Set<Integer> shares) {
    mine = Set.copyOf(shares);
    LOG.atInfo()
        .addKeyValue("shares", shares.size())
        .addKeyValue("of", partitions)
        .log("share of the nodes");
    listeners.forEach(Runnable::run);
  }

  private final class Shares implements ConsumerRebalanceListener {

    private final Consumer<?, ?> consumer;

    Shares(Consumer<?, ?> consumer) {
      this.consumer = consumer;
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> added) {
      consumer.pause(added);
      Set<Integer> now = new HashSet<>(mine);
      added.forEach(partition -> now.add(partition.partition()));
      assigned = true;
      change(now);
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> removed) {
      Set<Integer> now = new HashSet<>(mine);
      removed.forEach(partition -> now.remove(partition.partition()));
      change(now);
    }

    @Override
    public void onPartitionsLost(Collection<TopicPartition> removed) {
      onPartitionsRevoked(removed);
    }
  }

  /** Leaves the group: others take over at once. */
  @Override
  public void close() {
    closed = true;
    try {
      thread.join(CLOSE_MILLIS);
      if (thread.isAlive()) {
        thread.interrupt();
      }
    } catch (InterruptedException e) {
      thread.interrupt();
      Thread.currentThread().interrupt();
    }
  }
}
