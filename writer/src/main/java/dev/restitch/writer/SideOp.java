package dev.restitch.writer;

import dev.restitch.model.Bytes;
import java.util.Objects;

/** What a transaction does to one side. */
public sealed interface SideOp {

  /** Writes stamp and payload. */
  record Put(Bytes payload, Expiry expiry) implements SideOp {

    public Put {
      Objects.requireNonNull(payload, "payload");
      Objects.requireNonNull(expiry, "expiry");
    }

    /** Never the payload. */
    @Override
    public String toString() {
      return "Put[" + payload.length() + " bytes, " + expiry + "]";
    }
  }

  /** Removes the side. */
  record Delete() implements SideOp {}
}
