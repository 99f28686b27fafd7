package dev.restitch.worker.command;

import dev.restitch.registry.RegistryUnavailableException;
import dev.restitch.worker.apply.StoreFaults;
import dev.restitch.worker.truth.TruthUnavailableException;
import dev.restitch.writer.io.Stages;
import java.util.concurrent.RejectedExecutionException;
import org.apache.kafka.common.errors.RetriableException;

/** Which errors pass by themselves, and how errors are said. */
final class Faults {

  private Faults() {}

  /** True if it is worth trying again. */
  static boolean passing(Throwable failure) {
    Throwable cause = Stages.cause(failure);
    return cause instanceof TruthUnavailableException
        || cause instanceof RetriableException
        || cause instanceof RegistryUnavailableException
        || cause instanceof RejectedExecutionException
        || StoreFaults.passing(cause);
  }

  /** One line. */
  static String inWords(Throwable failure) {
    Throwable cause = Stages.cause(failure);
    String message = cause.getMessage() == null ? "" : cause.getMessage().strip();
    String line = message.replaceAll("\\s*\\R\\s*", " ");
    return line.isEmpty() ? cause.getClass().getSimpleName() : line;
  }
}
