package dev.restitch.startup;

import dev.restitch.config.ConfigException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Waits at start for peers that cannot be reached yet. */
public final class Patience {

  private static final Logger log = LoggerFactory.getLogger(Patience.class);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(250);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  private Patience() {}

  /**
   * Calls an attempt until it succeeds, with pauses that grow from a quarter of a second to five
   * seconds; each failure is one log line. Blocks the caller. The attempt must bring its own
   * timeout; it is made at least once.
   *
   * @param what the peer in words, such as {@code Kafka}
   * @param address where it was looked for, without credentials
   * @param check what a person should check
   * @param patience how long to go on; zero: one attempt
   * @return what the attempt returned
   * @throws UnreachableException after the patience, or when interrupted (the thread's interrupt
   *     flag is set again)
   * @throws RuntimeException the attempt's own exception, at once, if it is {@link Permanent} or a
   *     {@link ConfigException}
   */
  public static <T> T await(
      String what, String address, String check, Duration patience, Callable<T> attempt) {
    long deadlineNanos = System.nanoTime() + patience.toNanos();
    Duration pause = FIRST_PAUSE;
    for (int attempts = 1; ; attempts++) {
      Exception failure;
      try {
        return attempt.call();
      } catch (InterruptedException e) {
        throw interrupted(what, address, e);
      } catch (Exception e) {
        if (e instanceof RuntimeException permanent && permanent(e)) {
          throw permanent;
        }
        failure = e;
      }
      Duration left = Duration.ofNanos(deadlineNanos - System.nanoTime());
      boolean last = left.isZero() || left.isNegative();
      log.atWarn()
          .addKeyValue("what", what)
          .addKeyValue("address", address)
          .addKeyValue("check", check)
          .addKeyValue("attempt", attempts)
          .addKeyValue(
              "left", Causes.inWords(last ? Duration.ZERO : left.truncatedTo(ChronoUnit.SECONDS)))
          .addKeyValue("error", Causes.inWords(failure))
          .log("Not reachable");
      if (last) {
        throw new UnreachableException(
            String.format(
                Locale.ROOT,
                "%s at %s was not reachable within %s (%d attempts): %s. Check %s.",
                what,
                address,
                Causes.inWords(patience),
                attempts,
                Causes.inWords(failure),
                check),
            failure);
      }
      pause(what, address, pause.compareTo(left) < 0 ? pause : left);
      pause = longer(pause);
    }
  }

  private static boolean permanent(Exception e) {
    return e instanceof Permanent || e instanceof ConfigException;
  }

  private static Duration longer(Duration pause) {
    double jitter = ThreadLocalRandom.current().nextDouble(0.8, 1.2);
    Duration next = Duration.ofMillis((long) (pause.toMillis() * 2 * jitter));
    return next.compareTo(LONGEST_PAUSE) < 0 ? next : LONGEST_PAUSE;
  }

  private static void pause(String what, String address, Duration pause) {
    try {
      Thread.sleep(Math.max(1, pause.toMillis()));
    } catch (InterruptedException e) {
      throw interrupted(what, address, e);
    }
  }

  private static UnreachableException interrupted(
      String what, String address, InterruptedException cause) {
    Thread.currentThread().interrupt();
    return new UnreachableException(
        "interrupted while waiting for " + what + " at " + address, cause);
  }
}
