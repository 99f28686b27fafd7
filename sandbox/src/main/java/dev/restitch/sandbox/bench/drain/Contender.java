package dev.restitch.sandbox.bench.drain;

import java.util.Arrays;
import java.util.Locale;

/** Who drains the topics. */
enum Contender {
  /** A consumer that counts records and commits nothing. */
  RAW_CONSUMER,
  /** Kafka Streams with exactly-once processing that does nothing with a record but count it. */
  PASS_THROUGH,
  /** The product. */
  JUDGE,
  /** The first two sides joined by {@code outerJoin} within the settle time. */
  OUTER_JOIN,
  /** The sides of an instance in a session window with {@code suppress}. */
  SESSION_WINDOW,
  /** A processor that keeps what is open in RocksDB. */
  ROCKSDB;

  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static Contender named(String label) {
    return Arrays.stream(values())
        .filter(c -> c.label().equals(label))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "--contenders: there is no '"
                        + label
                        + "'; there are "
                        + Arrays.stream(values()).map(Contender::label).toList()));
  }
}
