package dev.restitch.serde;

import dev.restitch.topic.Topics;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;

/** Records of every type, filled from a seed. */
final class Samples {

  private final Random random;

  Samples(long seed) {
    this.random = new Random(seed);
  }

  /** The schemas of all record types of the contract. */
  static Stream<Schema> schemas() {
    return Topics.all().stream()
        .flatMap(topic -> topic.values().stream())
        .filter(SpecificRecord.class::isAssignableFrom)
        .map(type -> SpecificData.get().getSchema(type));
  }

  SpecificRecord record(Schema schema) {
    SpecificRecord record = (SpecificRecord) SpecificData.get().newRecord(null, schema);
    for (Schema.Field field : schema.getFields()) {
      record.put(field.pos(), value(field.schema()));
    }
    return record;
  }

  private Object value(Schema schema) {
    return switch (schema.getType()) {
      case RECORD -> record(schema);
      case ENUM -> {
        List<String> symbols = schema.getEnumSymbols();
        yield SpecificData.get().createEnum(symbols.get(random.nextInt(symbols.size())), schema);
      }
      case ARRAY -> {
        List<Object> items = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
          items.add(value(schema.getElementType()));
        }
        yield items;
      }
      case UNION -> value(schema.getTypes().get(random.nextInt(schema.getTypes().size())));
      case STRING -> "text-\u00e4-" + random.nextInt(1000);
      case BYTES -> bytes();
      case INT -> random.nextInt();
      case LONG -> random.nextLong();
      case DOUBLE -> random.nextDouble();
      case BOOLEAN -> random.nextBoolean();
      case NULL -> null;
      default -> throw new IllegalArgumentException("no sample for " + schema.getType());
    };
  }

  private ByteBuffer bytes() {
    byte[] bytes = new byte[random.nextInt(40)];
    random.nextBytes(bytes);
    return ByteBuffer.wrap(bytes);
  }
}
