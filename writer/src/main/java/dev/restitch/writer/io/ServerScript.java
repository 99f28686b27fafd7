package dev.restitch.writer.io;

import dev.restitch.model.Bytes;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * A Lua script on one key. Sent by its digest; by its text where the server does not know it yet,
 * or no more after {@code SCRIPT FLUSH} or a failover. Immutable.
 */
public final class ServerScript {

  private final byte[] text;
  private final String sha1;

  private ServerScript(byte[] text) {
    this.text = text;
    this.sha1 = sha1Hex(text);
  }

  /** Loads a script that lies beside a class. */
  public static ServerScript load(Class<?> beside, String resource) {
    try (InputStream in = beside.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("script " + resource + " is not beside " + beside);
      }
      return new ServerScript(in.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The SHA-1 of these bytes in lower-case hex, as {@code redis.sha1hex} says it. */
  public static String sha1Hex(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-1", e);
    }
  }

  /**
   * Runs the script. Never blocks; fails as any command of the store does.
   *
   * @param commands of the primary that holds the key
   */
  public <T> CompletionStage<T> run(
      RedisClusterAsyncCommands<byte[], byte[]> commands,
      ScriptOutputType type,
      Bytes key,
      byte[]... arguments) {
    byte[][] keys = {key.toArray()};
    CompletionStage<T> byDigest = commands.evalsha(sha1, type, keys, arguments);
    return byDigest
        .handle(
            (result, failure) -> {
              if (failure == null) {
                return CompletableFuture.completedStage(result);
              }
              if (Stages.cause(failure) instanceof RedisNoScriptException) {
                CompletionStage<T> byText = commands.eval(text, type, keys, arguments);
                return byText;
              }
              return CompletableFuture.<T>failedStage(Stages.cause(failure));
            })
        .thenCompose(Function.identity());
  }
}
