package dev.restitch.worker.apply;

/** A newer version of this program has claimed a store: nothing is sent to it. */
public final class StoreFencedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  StoreFencedException(String message) {
    super(message, null, false, false);
  }
}
