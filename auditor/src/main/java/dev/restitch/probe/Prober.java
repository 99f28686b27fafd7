package dev.restitch.probe;

import dev.restitch.config.RestitchConfig;
import dev.restitch.kafka.DeadLetters;
import dev.restitch.read.SideReader;
import dev.restitch.registry.SchemaRegistry;
import dev.restitch.serde.TopicDeserializer;
import dev.restitch.store.StoreClient;
import dev.restitch.topic.Topics;
import dev.restitch.watch.Outbox;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers the judge's questions with snapshots, each at least once: a question is committed when
 * the brokers have its snapshot. A record that is no question goes to the dead letters.
 * Thread-safe.
 */
public final class Prober implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Prober.class);
  private static final long CLOSE_MILLIS = 10_000;

  private final List<ProbeLoop> loops = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final Outbox outbox;
  private final ProbeAnswers answers;

  /**
   * A prober that does nothing before {@link #start}.
   *
   * @param stores by name; belong to the caller
   * @param producer belongs to the caller, who closes it after the prober
   * @param consumers makes a consumer of group {@link #group} that reads committed and does not
   *     commit by itself; called once a thread; closed by the prober
   * @param threads how many consumers
   * @param deadLetters belongs to the caller
   */
  public Prober(
      RestitchConfig config,
      Map<String, StoreClient> stores,
      SchemaRegistry registry,
      Producer<String, SpecificRecord> producer,
      Supplier<Consumer<String, byte[]>> consumers,
      int threads,
      DeadLetters deadLetters) {
    Clock clock = Clock.systemUTC();
    this.outbox = new Outbox(producer, "restitch-prober-outbox");
    this.answers =
        new ProbeAnswers(
            new TopicDeserializer<>(registry, Topics.PROBES),
            new DoubleCollect(config.resolver(), new SideReader(stores, clock), clock),
            outbox,
            deadLetters,
            Topics.SNAPSHOTS.name(config.topics()));
    for (int i = 0; i < threads; i++) {
      ProbeLoop loop = new ProbeLoop(consumers.get(), Topics.PROBES.name(config.topics()), answers);
      Thread thread = new Thread(loop, "restitch-prober-" + i);
      thread.setDaemon(true);
      this.loops.add(loop);
      this.threads.add(thread);
    }
  }

  /** The consumer group of all probers. */
  public static String group(RestitchConfig config) {
    return config.topics().prefix() + "-prober";
  }

  /** Begins to answer. */
  public void start() {
    outbox.start();
    threads.forEach(Thread::start);
  }

  /** True while every thread answers. */
  public boolean running() {
    return threads.stream().allMatch(Thread::isAlive);
  }

  /** What became of all questions. */
  public ProberCounters counters() {
    return answers.counters(
        loops.stream().mapToLong(ProbeLoop::received).sum(),
        loops.stream().mapToLong(ProbeLoop::inFlight).sum());
  }

  /** Answers what was read, commits it and closes the consumers, within a bounded time. */
  @Override
  public void close() {
    loops.forEach(ProbeLoop::close);
    try {
      for (Thread thread : threads) {
        thread.join(CLOSE_MILLIS);
        if (thread.isAlive()) {
          LOG.atWarn().addKeyValue("thread", thread.getName()).log("prober did not end in time");
          thread.interrupt();
        }
      }
    } catch (InterruptedException e) {
      threads.forEach(Thread::interrupt);
      Thread.currentThread().interrupt();
    }
    outbox.close();
  }
}
