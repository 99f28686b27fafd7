package dev.restitch.kafka;

/** Names of the record headers that Restitch sets. Values are UTF-8 text. */
public final class HeaderNames {

  /** Common beginning of the headers of a dead letter. */
  public static final String ERROR_PREFIX = "restitch.error.";

  /** Class of the exception. */
  public static final String ERROR_CLASS = ERROR_PREFIX + "class";

  /** Message of the exception, one line; never a payload. */
  public static final String ERROR_MESSAGE = ERROR_PREFIX + "message";

  /** Topic that the record stood in. */
  public static final String ERROR_TOPIC = ERROR_PREFIX + "topic";

  /** Its partition, decimal; -1: unknown. */
  public static final String ERROR_PARTITION = ERROR_PREFIX + "partition";

  /** Its offset, decimal; -1: unknown. */
  public static final String ERROR_OFFSET = ERROR_PREFIX + "offset";

  /** Its timestamp, milliseconds since the epoch, decimal; -1: unknown. */
  public static final String ERROR_TIMESTAMP = ERROR_PREFIX + "timestamp";

  /** Who could not use it: the client's name. */
  public static final String ERROR_COMPONENT = ERROR_PREFIX + "component";

  /** Length in bytes of a value that was too large to be kept; the dead letter has none then. */
  public static final String ERROR_VALUE_LENGTH = ERROR_PREFIX + "value-length";

  /** Bytes of a key that is not UTF-8; set by our consumers only, never sent. */
  public static final String RAW_KEY = "restitch.raw-key";

  private HeaderNames() {}
}
