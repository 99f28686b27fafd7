package dev.restitch.worker.apply;

import dev.restitch.model.Bytes;
import dev.restitch.stamp.Stamp;
import dev.restitch.writer.Digests;
import java.util.Arrays;
import java.util.List;

/** What must still stand on a side, so that it may be written. */
public sealed interface Expectation {

  /** No key. */
  record Absent() implements Expectation {}

  /** A value with this stamp; the stamp has a token, so that it names one write. */
  record Stamped(Stamp stamp) implements Expectation {}

  /**
   * This very value, known by stamp, length and digest: where no token names the write.
   *
   * @param prefix the stamp; empty for a value without one
   * @param length of the whole value in bytes
   * @param digest SHA-256 of what follows the prefix
   */
  record Exact(Bytes prefix, long length, Bytes digest) implements Expectation {

    /** Expects this very value. */
    public static Exact of(Bytes prefix, Bytes payload) {
      return new Exact(
          prefix, (long) prefix.length() + payload.length(), Digests.sha256(payload.toArray()));
    }

    /** True if this is the value; null stands for no key. */
    public boolean matches(byte[] value) {
      int stamp = prefix.length();
      return value != null
          && value.length == length
          && value.length >= stamp
          && Arrays.equals(value, 0, stamp, prefix.toArray(), 0, stamp)
          && Digests.sha256(value, stamp, value.length - stamp).equals(digest);
    }
  }

  /**
   * A log that has only grown since these entries were its newest.
   *
   * @param tokens oldest first; empty: the log was absent
   */
  record Tail(List<Bytes> tokens) implements Expectation {

    public Tail {
      tokens = List.copyOf(tokens);
    }
  }
}
