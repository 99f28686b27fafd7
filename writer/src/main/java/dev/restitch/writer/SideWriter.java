package dev.restitch.writer;

import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import dev.restitch.stamp.Stamp;
import dev.restitch.stamp.StampTemplate;
import dev.restitch.store.StoreClient;
import dev.restitch.writer.io.ServerScript;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SetArgs;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Writes single sides and markers, plainly or fenced. Thread-safe; never blocks. */
final class SideWriter {

  private static final ServerScript FENCE = ServerScript.load(SideWriter.class, "fence.lua");
  private static final byte[] COMMITTED = {'1'};
  private static final byte[] NOTHING = {};

  private final Map<String, StoreClient> stores;
  private final boolean fenced;

  SideWriter(Map<String, StoreClient> stores, boolean fenced) {
    this.stores = Map.copyOf(stores);
    this.fenced = fenced;
  }

  /** Writes a side; never fails, but says what became of it. */
  CompletionStage<KeyResult> write(KeyWrite write, Stamp stamp) {
    return settled(fenced ? fenced(write, stamp) : plain(write, stamp));
  }

  /**
   * Writes a commit marker; never fails, but says what became of it.
   *
   * @param ttl null: none
   * @param once only where no one has decided otherwise before
   */
  CompletionStage<KeyResult> mark(StoreKey marker, Duration ttl, boolean once) {
    SetArgs arguments = new SetArgs();
    if (ttl != null) {
      arguments.px(ttl);
    }
    if (once) {
      arguments.nx();
    }
    byte[] key = marker.key().toArray();
    RedisClusterAsyncCommands<byte[], byte[]> commands = commands(marker);
    CompletionStage<String> set = commands.set(key, COMMITTED, arguments);
    return settled(
        set.thenCompose(
            answer ->
                answer != null
                    ? CompletableFuture.completedStage(KeyResult.WRITTEN)
                    : commands.get(key).thenApply(SideWriter::decidedBefore)));
  }

  private static KeyResult decidedBefore(byte[] value) {
    return Arrays.equals(value, COMMITTED)
        ? KeyResult.WRITTEN
        : new KeyResult(
            WriteStatus.FAILED, new IllegalStateException("another decided against the commit"));
  }

  private CompletionStage<KeyResult> plain(KeyWrite write, Stamp stamp) {
    byte[] key = write.key().key().toArray();
    RedisClusterAsyncCommands<byte[], byte[]> commands = commands(write.key());
    if (!(write.op() instanceof SideOp.Put put)) {
      return commands.del(key).thenApply(count -> KeyResult.WRITTEN);
    }
    byte[] value = write.relation().stamp().write(stamp, put.payload().toArray());
    CompletionStage<String> set =
        switch (put.expiry().kind()) {
          case NONE -> commands.set(key, value);
          case KEEP -> commands.set(key, value, SetArgs.Builder.keepttl());
          case AFTER -> commands.set(key, value, SetArgs.Builder.px(put.expiry().millis()));
        };
    return set.thenApply(ok -> KeyResult.WRITTEN);
  }

  private CompletionStage<KeyResult> fenced(KeyWrite write, Stamp stamp) {
    StampTemplate template = write.relation().stamp();
    byte[] prefix = template.prefix(stamp);
    byte[] value = NOTHING;
    Expiry expiry = Expiry.NONE;
    if (write.op() instanceof SideOp.Put put) {
      value = template.write(stamp, put.payload().toArray());
      expiry = put.expiry();
    }
    CompletionStage<Long> answer =
        FENCE.run(
            commands(write.key()),
            ScriptOutputType.INTEGER,
            write.key().key(),
            ascii(write.op() instanceof SideOp.Put ? "set" : "del"),
            ascii(Long.toString(stamp.version())),
            prefix,
            value,
            ascii(
                switch (expiry.kind()) {
                  case NONE -> "";
                  case KEEP -> "KEEPTTL";
                  case AFTER -> "PX";
                }),
            ascii(Long.toString(expiry.millis())),
            template.lead().toArray(),
            template.firstSeparator().toArray(),
            afterToken(template, stamp, prefix),
            ascii(Integer.toString(write.relation().stampLimit())));
    return answer.thenApply(done -> done == 0 ? KeyResult.SUPERSEDED : KeyResult.WRITTEN);
  }

  /** What stands between the token and the payload: the prefix without all that precedes it. */
  private static byte[] afterToken(StampTemplate template, Stamp stamp, byte[] prefix) {
    int before =
        template.lead().length()
            + Long.toString(stamp.version()).length()
            + template.firstSeparator().length()
            + stamp.token().length();
    return template.hasToken() ? Arrays.copyOfRange(prefix, before, prefix.length) : NOTHING;
  }

  private static CompletionStage<KeyResult> settled(CompletionStage<KeyResult> result) {
    return result.exceptionally(KeyResult::of);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private RedisClusterAsyncCommands<byte[], byte[]> commands(StoreKey key) {
    StoreClient store = stores.get(key.store());
    if (store == null) {
      throw new IllegalArgumentException("store '" + key.store() + "' is not open");
    }
    Bytes bytes = key.key();
    return store.commands(bytes);
  }
}
