package dev.restitch.sandbox.bench;

import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;

/**
 * What a sweep costs at the least with this client: {@code SCAN}, and {@code GETRANGE} of every key
 * that it gives, in pipelines of a page, the next page asked for together with the reads of this
 * one. It maps no key and compares nothing.
 */
final class BareScan implements AutoCloseable {

  private static final int PAGE = 1_000;

  private final RedisClient client;
  private final StatefulRedisConnection<byte[], byte[]> connection;

  BareScan(String uri) {
    client = RedisClient.create(uri);
    connection = client.connect(ByteArrayCodec.INSTANCE);
    connection.setAutoFlushCommands(false);
  }

  /** Reads every key's prefix; says how many keys there were. */
  long run(int prefix) throws ExecutionException, InterruptedException {
    ScanArgs page = ScanArgs.Builder.limit(PAGE);
    RedisFuture<KeyScanCursor<byte[]>> asked = connection.async().scan(ScanCursor.INITIAL, page);
    connection.flushCommands();
    long keys = 0;
    while (true) {
      KeyScanCursor<byte[]> answer = asked.get();
      if (!answer.isFinished()) {
        asked = connection.async().scan(answer, page);
      }
      List<RedisFuture<byte[]>> reads = new ArrayList<>(answer.getKeys().size());
      for (byte[] key : answer.getKeys()) {
        reads.add(connection.async().getrange(key, 0, prefix - 1L));
      }
      connection.flushCommands();
      for (RedisFuture<byte[]> read : reads) {
        keys += read.get().length == 0 ? 0 : 1;
      }
      if (answer.isFinished()) {
        return keys;
      }
    }
  }

  @Override
  public void close() {
    client.shutdown();
  }
}
