package dev.restitch.writer;

import dev.restitch.model.Bytes;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What a side holds. None of these shows its content in {@code toString}. */
public sealed interface SideValue {

  /** A string without its stamp; where it is not stamped, the whole string. */
  record Payload(Bytes bytes) implements SideValue {

    public Payload {
      Objects.requireNonNull(bytes, "bytes");
    }

    @Override
    public String toString() {
      return "Payload[" + bytes.length() + " bytes]";
    }
  }

  /** All fields of a hash, those of the stamp too. */
  record Fields(Map<Bytes, Bytes> fields) implements SideValue {

    public Fields {
      fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    }

    @Override
    public String toString() {
      return "Fields[" + fields.size() + "]";
    }
  }

  /** The newest entries of a log that carry a stamp, oldest first. */
  record Entries(List<Entry> entries) implements SideValue {

    public Entries {
      entries = List.copyOf(entries);
    }

    @Override
    public String toString() {
      return "Entries[" + entries.size() + "]";
    }
  }

  /** One entry of a log, without its stamp. */
  record Entry(Bytes token, Bytes payload) {

    public Entry {
      Objects.requireNonNull(token, "token");
      Objects.requireNonNull(payload, "payload");
    }

    @Override
    public String toString() {
      return "Entry[" + token + ", " + payload.length() + " bytes]";
    }
  }
}
