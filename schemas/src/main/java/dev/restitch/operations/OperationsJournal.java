package dev.restitch.operations;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Clock;
import java.time.Instant;
import java.util.Collection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the operations log, apart from the debug log: one JSON object a line, under the logger
 * {@value #LOGGER}. Every line says when, who ({@code by}: the process; {@code owner}: on whose
 * behalf), why and what. Stamps, never payloads. Thread-safe.
 */
public final class OperationsJournal {

  /** The logger's name; an appender of its own takes its messages as they are. */
  public static final String LOGGER = "restitch.operations";

  private static final Logger log = LoggerFactory.getLogger(LOGGER);

  private final Clock clock;
  private final String process;

  /**
   * @param process the process that writes
   */
  public OperationsJournal(Clock clock, String process) {
    this.clock = clock;
    this.process = process;
  }

  /** Begins a line. */
  public Entry entry(String what) {
    ObjectNode line = JsonNodeFactory.instance.objectNode();
    line.put("at", Instant.ofEpochMilli(clock.millis()).toString());
    line.put("what", what);
    line.put("by", process);
    return new Entry(line);
  }

  /** A line that is being written. Not thread-safe. */
  public static final class Entry {

    private final ObjectNode line;

    private Entry(ObjectNode line) {
      this.line = line;
    }

    /** On whose behalf. */
    public Entry owner(String owner) {
      return with("owner", owner);
    }

    /** Why. */
    public Entry cause(String cause) {
      return with("cause", cause);
    }

    /** Anything else; null is left out. */
    public Entry with(String name, Object value) {
      if (value instanceof Number number) {
        line.put(name, number.longValue());
      } else if (value instanceof Collection<?> values) {
        ArrayNode array = line.putArray(name);
        values.forEach(each -> array.add(String.valueOf(each)));
      } else if (value != null) {
        line.put(name, value.toString());
      }
      return this;
    }

    /** Writes the line. */
    public void write() {
      log.info(line.toString());
    }
  }
}
