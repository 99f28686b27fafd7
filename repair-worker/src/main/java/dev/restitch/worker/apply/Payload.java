package dev.restitch.worker.apply;

import dev.restitch.config.SideType;
import dev.restitch.model.Bytes;
import dev.restitch.writer.HashFields;

/** What a side carries besides its stamp. Immutable; never logged. */
public sealed interface Payload {

  /** Of a string, or of one entry of a log. */
  record Value(Bytes bytes) implements Payload {

    /** Never the bytes. */
    @Override
    public String toString() {
      return "Value[" + bytes.length() + " bytes]";
    }
  }

  /** Of a hash. */
  record Fields(HashFields fields) implements Payload {}

  /**
   * The payload as intents and sources of truth say it.
   *
   * @throws IllegalArgumentException if the fields of a hash cannot be read; quotes nothing
   */
  static Payload of(SideType type, Bytes said) {
    return type == SideType.HASH ? new Fields(HashFields.parse(said)) : new Value(said);
  }

  /**
   * The payload as intents say it.
   *
   * @throws IllegalArgumentException if a field of a hash has a name that is no text
   */
  default Bytes said() {
    if (this instanceof Value value) {
      return value.bytes();
    }
    return ((Fields) this).fields().payload();
  }
}
