package dev.restitch.worker;

import dev.restitch.model.Bytes;
import dev.restitch.store.StoreClient;
import dev.restitch.store.StoreNode;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.cluster.PipelinedRedisFuture;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/** Stores at whose n-th command something happens; commands by key, the fence's not counted. */
public final class Watched {

  /** What happens to a command. */
  public enum Fate {
    /** It is sent once the event is over. */
    SENT,
    /** It is never sent, and fails. */
    NOT_SENT,
    /** It is sent, and its answer is lost. */
    ANSWER_LOST
  }

  private final AtomicInteger commands = new AtomicInteger();
  private final int at;
  private final Fate fate;
  private final Runnable event;

  /**
   * @param at number of the command, from 1
   */
  public Watched(int at, Fate fate, Runnable event) {
    this.at = at;
    this.fate = fate;
    this.event = event;
  }

  /** Commands so far. */
  public int commands() {
    return commands.get();
  }

  /** The same stores, watched. */
  public Map<String, StoreClient> over(Map<String, StoreClient> stores) {
    Map<String, StoreClient> watched = new HashMap<>();
    stores.forEach((name, store) -> watched.put(name, new Store(store)));
    return watched;
  }

  @SuppressWarnings("unchecked")
  private RedisClusterAsyncCommands<byte[], byte[]> proxy(
      RedisClusterAsyncCommands<byte[], byte[]> real) {
    return (RedisClusterAsyncCommands<byte[], byte[]>)
        Proxy.newProxyInstance(
            Watched.class.getClassLoader(),
            new Class<?>[] {RedisClusterAsyncCommands.class},
            (proxy, method, arguments) -> {
              boolean mine =
                  RedisFuture.class.isAssignableFrom(method.getReturnType())
                      && commands.incrementAndGet() == at;
              if (mine) {
                event.run();
                if (fate == Fate.NOT_SENT) {
                  return failed(CompletableFuture.completedStage(null));
                }
              }
              try {
                Object answer = method.invoke(real, arguments);
                return mine && fate == Fate.ANSWER_LOST
                    ? failed((CompletionStage<?>) answer)
                    : answer;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private static RedisFuture<Object> failed(CompletionStage<?> after) {
    return new PipelinedRedisFuture<>(
        after.handle(
            (answer, failure) -> {
              throw new RedisConnectionException("cut by the test");
            }));
  }

  private final class Store implements StoreClient {

    private final StoreClient real;

    Store(StoreClient real) {
      this.real = real;
    }

    @Override
    public String name() {
      return real.name();
    }

    @Override
    public RedisClusterAsyncCommands<byte[], byte[]> commands(Bytes key) {
      boolean fence = key.equals(Bytes.utf8("{restitch}:version"));
      return fence ? real.commands(key) : proxy(real.commands(key));
    }

    @Override
    public StoreNode nodeOf(Bytes key) {
      return real.nodeOf(key);
    }

    @Override
    public boolean cluster() {
      return real.cluster();
    }

    @Override
    public List<StoreNode> primaries() {
      return real.primaries();
    }

    @Override
    public void onTopologyChange(Runnable listener) {
      real.onTopologyChange(listener);
    }

    @Override
    public void close() {}
  }
}
