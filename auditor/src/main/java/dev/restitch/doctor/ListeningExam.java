package dev.restitch.doctor;

import dev.restitch.doctor.NodeFacts.Listening;
import dev.restitch.model.Bytes;
import dev.restitch.store.StoreNode;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Subscribes to a node's key events as the watcher does, and counts what comes. Blocks. */
final class ListeningExam implements AutoCloseable {

  private static final Duration ACKNOWLEDGED_IN = Duration.ofSeconds(3);

  private final List<String> names;
  private final CountDownLatch acknowledged;
  private final CountDownLatch heard = new CountDownLatch(1);
  private final AtomicInteger events = new AtomicInteger();
  private StatefulRedisPubSubConnection<byte[], byte[]> connection;
  private String refused;

  private ListeningExam(List<Bytes> channels) {
    this.names = channels.stream().map(Bytes::toString).toList();
    this.acknowledged = new CountDownLatch(channels.size());
  }

  /** Subscribes; says in {@link #heard} whether that went well. */
  static ListeningExam on(StoreNode node, List<Bytes> channels) throws InterruptedException {
    ListeningExam exam = new ListeningExam(channels);
    exam.subscribe(node, channels);
    return exam;
  }

  private void subscribe(StoreNode node, List<Bytes> channels) throws InterruptedException {
    try {
      connection = Timed.get(ACKNOWLEDGED_IN, node.openPubSub());
      connection.addListener(new Events());
      Timed.get(
          ACKNOWLEDGED_IN,
          connection
              .async()
              .psubscribe(channels.stream().map(Bytes::toArray).toArray(byte[][]::new)));
      if (!acknowledged.await(ACKNOWLEDGED_IN.toMillis(), TimeUnit.MILLISECONDS)) {
        refused = "no acknowledgement within " + ACKNOWLEDGED_IN.toSeconds() + " s";
      }
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      refused = Timed.words(e);
    }
  }

  /**
   * What has been heard.
   *
   * @param patience how long to wait for a first event
   */
  Listening heard(Duration patience) throws InterruptedException {
    boolean some = refused == null && heard.await(patience.toMillis(), TimeUnit.MILLISECONDS);
    return new Listening(names, refused, some ? events.get() : 0);
  }

  @Override
  public void close() {
    if (connection != null) {
      connection.close();
    }
  }

  private final class Events extends RedisPubSubAdapter<byte[], byte[]> {

    @Override
    public void psubscribed(byte[] pattern, long count) {
      acknowledged.countDown();
    }

    @Override
    public void message(byte[] pattern, byte[] channel, byte[] event) {
      events.incrementAndGet();
      heard.countDown();
    }
  }
}
