package dev.restitch.worker.apply;

import dev.restitch.store.StoreException;
import dev.restitch.writer.io.Stages;
import io.lettuce.core.RedisBusyException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisLoadingException;
import io.lettuce.core.RedisReadOnlyException;
import java.util.List;

/** Which of a store's errors pass by themselves. */
public final class StoreFaults {

  private static final List<String> PASSING =
      List.of("CLUSTERDOWN", "TRYAGAIN", "MASTERDOWN", "NOREPLICAS", "MISCONF", "OOM", "UNBLOCKED");

  private StoreFaults() {}

  /** True if it is worth trying again: not connected, no answer in time, loading, failing over. */
  public static boolean passing(Throwable failure) {
    Throwable cause = Stages.cause(failure);
    if (cause instanceof RedisLoadingException
        || cause instanceof RedisBusyException
        || cause instanceof RedisReadOnlyException) {
      return true;
    }
    if (cause instanceof RedisCommandExecutionException) {
      String message = String.valueOf(cause.getMessage());
      return PASSING.stream().anyMatch(message::startsWith);
    }
    return cause instanceof RedisException || cause instanceof StoreException;
  }
}
