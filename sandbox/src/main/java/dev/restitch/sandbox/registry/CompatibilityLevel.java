package dev.restitch.sandbox.registry;

import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.SchemaCompatibility;
import org.apache.avro.SchemaCompatibility.SchemaCompatibilityType;

/** What a subject asks of a new version. Names as in Confluent's API. */
enum CompatibilityLevel {
  NONE,
  BACKWARD,
  BACKWARD_TRANSITIVE,
  FORWARD,
  FORWARD_TRANSITIVE,
  FULL,
  FULL_TRANSITIVE;

  /**
   * True if a schema may follow these versions.
   *
   * @param earlier oldest first
   */
  boolean allows(Schema next, List<Schema> earlier) {
    if (earlier.isEmpty() || this == NONE) {
      return true;
    }
    List<Schema> compared =
        name().endsWith("_TRANSITIVE")
            ? earlier
            : earlier.subList(earlier.size() - 1, earlier.size());
    return compared.stream().allMatch(version -> allows(next, version));
  }

  private boolean allows(Schema next, Schema version) {
    return switch (this) {
      case NONE -> true;
      case BACKWARD, BACKWARD_TRANSITIVE -> reads(next, version);
      case FORWARD, FORWARD_TRANSITIVE -> reads(version, next);
      case FULL, FULL_TRANSITIVE -> reads(next, version) && reads(version, next);
    };
  }

  private static boolean reads(Schema reader, Schema writer) {
    return SchemaCompatibility.checkReaderWriterCompatibility(reader, writer).getType()
        == SchemaCompatibilityType.COMPATIBLE;
  }
}
