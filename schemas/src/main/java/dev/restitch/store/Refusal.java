package dev.restitch.store;

import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Stands in for the commands of a node that was never reached: every command fails at once, as it
 * does on a connection that was lost.
 */
final class Refusal {

  private Refusal() {}

  /** Commands whose futures have all failed, with a message that names the address. */
  @SuppressWarnings("unchecked")
  static RedisClusterAsyncCommands<byte[], byte[]> at(String address) {
    return (RedisClusterAsyncCommands<byte[], byte[]>)
        Proxy.newProxyInstance(
            Refusal.class.getClassLoader(),
            new Class<?>[] {RedisClusterAsyncCommands.class},
            (proxy, method, arguments) -> {
              if (method.getDeclaringClass() == Object.class) {
                return method.invoke(address, arguments);
              }
              RedisConnectionException refused =
                  new RedisConnectionException("not connected to " + address);
              if (RedisFuture.class.isAssignableFrom(method.getReturnType())) {
                return new Failed<>(refused);
              }
              throw refused;
            });
  }

  private static final class Failed<T> extends CompletableFuture<T> implements RedisFuture<T> {

    private final String error;

    Failed(RuntimeException failure) {
      this.error = failure.getMessage();
      completeExceptionally(failure);
    }

    @Override
    public String getError() {
      return error;
    }

    @Override
    public boolean await(long timeout, TimeUnit unit) {
      return true;
    }
  }
}
