package dev.restitch.sandbox.bench;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What a watcher costs at the least with this client: a subscription, and the same three reads a
 * notification (PTTL, GETRANGE, STRLEN), sent together as they come. It looks at no answer, keeps
 * no order and tells nobody.
 */
final class BareSubscriber implements AutoCloseable {

  private static final int PREFIX = "__keyspace@0__:".length();

  private final RedisClient client;
  private final StatefulRedisPubSubConnection<byte[], byte[]> subscription;
  private final StatefulRedisConnection<byte[], byte[]> reads;
  private final ConcurrentLinkedQueue<byte[]> waiting = new ConcurrentLinkedQueue<>();
  private final ExecutorService pump = Executors.newSingleThreadExecutor();
  private final AtomicInteger wanted = new AtomicInteger();
  private final AtomicLong done = new AtomicLong();

  BareSubscriber(String uri, int stampLimit) {
    client = RedisClient.create(uri);
    reads = client.connect(ByteArrayCodec.INSTANCE);
    reads.setAutoFlushCommands(false);
    subscription = client.connectPubSub(ByteArrayCodec.INSTANCE);
    subscription.addListener(
        new RedisPubSubAdapter<>() {
          @Override
          public void message(byte[] pattern, byte[] channel, byte[] event) {
            waiting.add(Arrays.copyOfRange(channel, PREFIX, channel.length));
            if (wanted.getAndIncrement() == 0) {
              pump.execute(() -> pump(stampLimit));
            }
          }
        });
    subscription
        .sync()
        .psubscribe("__keyspace@0__:user:*:profile".getBytes(StandardCharsets.US_ASCII));
  }

  private void pump(int stampLimit) {
    int seen = wanted.get();
    while (seen != 0) {
      for (byte[] key = waiting.poll(); key != null; key = waiting.poll()) {
        RedisFuture<Long> left = reads.async().pttl(key);
        RedisFuture<byte[]> head = reads.async().getrange(key, 0, stampLimit - 1L);
        RedisFuture<Long> length = reads.async().strlen(key);
        CompletableFuture<Void> unused =
            CompletableFuture.allOf(
                    left.toCompletableFuture(),
                    head.toCompletableFuture(),
                    length.toCompletableFuture())
                .thenRun(done::incrementAndGet);
      }
      reads.flushCommands();
      seen = wanted.addAndGet(-seen);
    }
  }

  /** Notifications whose reads were answered. */
  long done() {
    return done.get();
  }

  @Override
  public void close() {
    subscription.close();
    pump.shutdownNow();
    client.shutdown();
  }
}
