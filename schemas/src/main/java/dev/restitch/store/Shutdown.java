package dev.restitch.store;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.resource.ClientResources;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends clients and their threads within a bounded time. */
final class Shutdown {

  private static final Logger LOG = LoggerFactory.getLogger(Shutdown.class);
  private static final long SECONDS = 5;

  private Shutdown() {}

  static void of(String store, ClientResources resources, AbstractRedisClient... clients) {
    try {
      for (AbstractRedisClient client : clients) {
        client.shutdownAsync(0, 1, TimeUnit.SECONDS).get(SECONDS, TimeUnit.SECONDS);
      }
      resources.shutdown(0, 1, TimeUnit.SECONDS).get(SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      LOG.atWarn()
          .addKeyValue("store", store)
          .addKeyValue("reason", StoreException.reason(e))
          .log("store connections did not close in time");
    }
  }
}
