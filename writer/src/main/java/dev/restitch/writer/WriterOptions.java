package dev.restitch.writer;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Clock;
import java.util.Objects;

/**
 * How a writer writes.
 *
 * @param application who writes, for the intent
 * @param host where, for the intent
 * @param intents how the intent is sent
 * @param fenced write a side only if its version is newer than what stands there; needs a stamp
 *     that begins with the version
 * @param inlinePayloads put the payloads into the intent, so that roll-forward can finish the write
 * @param done say afterwards what became of each key; never where {@code intents} is NONE
 * @param clock mints timestamp versions; elsewhere it informs only
 */
public record WriterOptions(
    String application,
    String host,
    IntentMode intents,
    boolean fenced,
    boolean inlinePayloads,
    boolean done,
    Clock clock) {

  public WriterOptions {
    Objects.requireNonNull(application, "application");
    Objects.requireNonNull(host, "host");
    Objects.requireNonNull(intents, "intents");
    Objects.requireNonNull(clock, "clock");
  }

  /** Intents before, plain writes, no payload in the intent, done afterwards. */
  public static WriterOptions of(String application) {
    return new WriterOptions(
        application, hostName(), IntentMode.BEFORE, false, false, true, Clock.systemUTC());
  }

  public WriterOptions withIntents(IntentMode mode) {
    return new WriterOptions(application, host, mode, fenced, inlinePayloads, done, clock);
  }

  public WriterOptions withFenced(boolean on) {
    return new WriterOptions(application, host, intents, on, inlinePayloads, done, clock);
  }

  public WriterOptions withInlinePayloads(boolean on) {
    return new WriterOptions(application, host, intents, fenced, on, done, clock);
  }

  public WriterOptions withDone(boolean on) {
    return new WriterOptions(application, host, intents, fenced, inlinePayloads, on, clock);
  }

  public WriterOptions withClock(Clock other) {
    return new WriterOptions(application, host, intents, fenced, inlinePayloads, done, other);
  }

  private static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "unknown";
    }
  }
}
