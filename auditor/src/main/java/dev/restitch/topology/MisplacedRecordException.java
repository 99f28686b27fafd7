package dev.restitch.topology;

/** A record that the judge cannot take from this partition; it goes to the dead letters. */
final class MisplacedRecordException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  MisplacedRecordException(String message) {
    super(message);
  }
}
