package dev.restitch.writer;

import dev.restitch.writer.io.Stages;
import io.lettuce.core.RedisCommandExecutionException;

/**
 * What became of one key, or of the marker.
 *
 * @param failure why, for {@link WriteStatus#FAILED} and {@link WriteStatus#UNKNOWN}; null
 *     elsewhere and where it was not tried
 */
public record KeyResult(WriteStatus status, Throwable failure) {

  static final KeyResult WRITTEN = new KeyResult(WriteStatus.WRITTEN, null);
  static final KeyResult SUPERSEDED = new KeyResult(WriteStatus.SUPERSEDED, null);
  static final KeyResult UNTRIED = new KeyResult(WriteStatus.UNKNOWN, null);

  /** Only a server's own error proves that nothing was written. */
  static KeyResult of(Throwable failure) {
    Throwable cause = Stages.cause(failure);
    return new KeyResult(
        cause instanceof RedisCommandExecutionException ? WriteStatus.FAILED : WriteStatus.UNKNOWN,
        cause);
  }
}
