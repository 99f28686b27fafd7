package dev.restitch.watch;

import dev.restitch.model.Bytes;
import dev.restitch.read.LastStep;
import dev.restitch.store.StoreNode;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One subscription to a node's key events. The connection comes back by itself after a loss; the
 * server's acknowledgement, not the connection, tells when events flow again. {@link #tend} must be
 * called regularly: it opens what failed to open and subscribes where an acknowledgement is
 * missing. Never blocks.
 */
final class Subscription implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Subscription.class);
  private static final long ACK_PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long LOSS_PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(15);

  private final StoreNode node;
  private final List<Bytes> patterns;
  private final Listener listener;
  private Session session;
  private boolean opening;
  private boolean closed;

  /** Told on the connection's thread, which must not be blocked, in the order of the wire. */
  interface Listener {

    /** The server acknowledged every pattern: from now on nothing is missed. */
    void acknowledged();

    /** The connection was lost; what happens until the next acknowledgement is missed. */
    void lost();

    /** A key event. */
    void notified(byte[] channel, byte[] event);
  }

  Subscription(StoreNode node, List<Bytes> patterns, Listener listener) {
    this.node = node;
    this.patterns = List.copyOf(patterns);
    this.listener = listener;
  }

  /** Opens, or mends what is broken. */
  synchronized void tend() {
    if (closed || opening) {
      return;
    }
    if (session == null) {
      open();
    } else if (!session.acknowledged()) {
      session.retry();
    }
  }

  private void open() {
    opening = true;
    LastStep.of(node.openPubSub(), this::opened);
  }

  private synchronized void opened(
      StatefulRedisPubSubConnection<byte[], byte[]> connection, Throwable failure) {
    opening = false;
    if (failure != null) {
      LOG.atWarn()
          .addKeyValue("node", node.id())
          .addKeyValue("reason", reason(failure))
          .log("cannot open a subscription, trying again");
    } else if (closed) {
      letGo(connection);
    } else {
      session = new Session(connection);
      connection.addListener((RedisConnectionStateListener) session);
      connection.addListener(session.events);
      session.subscribe();
    }
  }

  synchronized boolean acknowledged() {
    return session != null && session.acknowledged();
  }

  /**
   * Completes, on the connection's thread, when everything that the server sent before has been
   * received; exceptionally if there is no answer in time.
   */
  synchronized CompletableFuture<Void> ping() {
    return session == null
        ? CompletableFuture.failedFuture(new IllegalStateException("not subscribed"))
        : session.connection.async().ping().toCompletableFuture().thenApply(pong -> null);
  }

  /** Gives the connection up, as it no longer answers; {@link #tend} opens another. */
  void renew() {
    Session old;
    synchronized (this) {
      old = session;
      session = null;
    }
    if (old != null) {
      letGo(old.connection);
      listener.lost();
    }
  }

  @Override
  public void close() {
    Session old;
    synchronized (this) {
      closed = true;
      old = session;
      session = null;
    }
    if (old != null) {
      letGo(old.connection);
    }
  }

  private static void letGo(StatefulRedisPubSubConnection<byte[], byte[]> connection) {
    CompletableFuture<Void> unused = connection.closeAsync();
  }

  private synchronized boolean present(Session asked) {
    return session == asked;
  }

  /** The innermost reason of a failure. */
  static String reason(Throwable failure) {
    Throwable at = failure;
    while ((at instanceof CompletionException || at.getMessage() == null)
        && at.getCause() != null) {
      at = at.getCause();
    }
    return at.getMessage() == null ? at.getClass().getSimpleName() : at.getMessage();
  }

  /** What belongs to one connection object; it survives reconnects. */
  private final class Session implements RedisConnectionStateListener {

    final StatefulRedisPubSubConnection<byte[], byte[]> connection;
    final Events events = new Events();
    private final Set<Bytes> acknowledged = new HashSet<>();
    private volatile boolean complete;
    private volatile long askedAtNanos;
    private volatile long lostAtNanos;

    Session(StatefulRedisPubSubConnection<byte[], byte[]> connection) {
      this.connection = connection;
    }

    boolean acknowledged() {
      return complete;
    }

    void subscribe() {
      askedAtNanos = System.nanoTime();
      lostAtNanos = askedAtNanos;
      LastStep.of(
          connection
              .async()
              .psubscribe(patterns.stream().map(Bytes::toArray).toArray(byte[][]::new)),
          (done, failure) -> {
            if (failure != null) {
              LOG.atWarn()
                  .addKeyValue("node", node.id())
                  .addKeyValue("reason", reason(failure))
                  .log("subscription refused, trying again");
            }
          });
    }

    /** Subscribes again where the acknowledgement is overdue; gives a dead connection up. */
    void retry() {
      long now = System.nanoTime();
      if (connection.isOpen()) {
        if (now - askedAtNanos > ACK_PATIENCE_NANOS) {
          subscribe();
        }
      } else if (now - lostAtNanos > LOSS_PATIENCE_NANOS) {
        letGo(connection);
        session = null;
      }
    }

    @Override
    public void onRedisDisconnected(RedisChannelHandler<?, ?> handler) {
      acknowledged.clear();
      complete = false;
      lostAtNanos = System.nanoTime();
      askedAtNanos = lostAtNanos;
      if (present(this)) {
        listener.lost();
      }
    }

    private final class Events extends RedisPubSubAdapter<byte[], byte[]> {

      @Override
      public void psubscribed(byte[] pattern, long count) {
        acknowledged.add(Bytes.copyOf(pattern));
        if (!complete && acknowledged.containsAll(patterns) && present(Session.this)) {
          complete = true;
          LOG.atInfo()
              .addKeyValue("node", node.id())
              .addKeyValue("patterns", patterns.size())
              .log("subscribed");
          listener.acknowledged();
        }
      }

      @Override
      public void message(byte[] pattern, byte[] channel, byte[] event) {
        if (present(Session.this)) {
          listener.notified(channel, event);
        }
      }
    }
  }
}
