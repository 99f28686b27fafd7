package dev.restitch.serde;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.restitch.avro.Coverage;
import dev.restitch.avro.Done;
import dev.restitch.avro.Gap;
import dev.restitch.avro.Intent;
import dev.restitch.config.TopicsConfig;
import dev.restitch.registry.InMemorySchemaRegistry;
import dev.restitch.registry.SchemaRegistry;
import dev.restitch.topic.Topics;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Serde;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AvroSerdeTest {

  private final SchemaRegistry registry = new InMemorySchemaRegistry();
  private final Serde<SpecificRecord> serde = AvroSerde.of(registry);

  static List<Schema> schemas() {
    return Samples.schemas().toList();
  }

  @ParameterizedTest
  @MethodSource("schemas")
  void shouldReadWhatItWrote(Schema schema) {
    Samples samples = new Samples(7);
    for (int i = 0; i < 200; i++) {
      SpecificRecord record = samples.record(schema);

      byte[] bytes = serde.serializer().serialize("any", record);

      assertThat(serde.deserializer().deserialize("any", bytes))
          .isEqualTo(record)
          .isInstanceOf(record.getClass());
    }
  }

  @Test
  void shouldCoverEveryTopic() {
    assertThat(schemas()).hasSize(13).doesNotHaveDuplicates();
  }

  @Test
  void shouldBeginWithAZeroByteAndTheSchemaIdInBigEndian() {
    SchemaRegistry numbered = new FixedIdRegistry(0x01020304, registry);
    Gap gap = new Gap("id", "east", "h:1", 0L, 5L, "disconnect");

    byte[] bytes = new AvroSerializer(numbered).serialize("restitch-gaps", gap);

    assertThat(ByteBuffer.wrap(bytes, 0, 5).slice())
        .isEqualTo(ByteBuffer.wrap(new byte[] {0, 1, 2, 3, 4}));
    // string "id" follows: length 2 as a zigzag varint
    assertThat(bytes[5]).isEqualTo((byte) 4);
  }

  @Test
  void shouldKeepNullForTombstones() {
    assertThat(serde.serializer().serialize("restitch-incidents", null)).isNull();
    assertThat(serde.deserializer().deserialize("restitch-incidents", null)).isNull();
  }

  @Test
  void shouldNameSubjectsByTopicAndWhereATopicHoldsSeveralTypesByRecordToo() {
    Map<String, Schema> subjects = new TreeMap<>();
    AvroSerializer serializer = new AvroSerializer(new RecordingRegistry(subjects, registry));
    Samples samples = new Samples(1);

    serializer.serialize("p-gaps", samples.record(Gap.getClassSchema()));
    serializer.serialize("p-intents", samples.record(Intent.getClassSchema()));
    serializer.serialize("p-intents", samples.record(Done.getClassSchema()));

    assertThat(subjects)
        .containsOnlyKeys(
            "p-gaps-value",
            "p-intents-dev.restitch.avro.Intent",
            "p-intents-dev.restitch.avro.Done");
  }

  @Test
  void shouldRegisterEverySubjectAtStartAsTheSerializerDoes() {
    Map<String, Schema> subjects = new TreeMap<>();

    ContractSchemas.register(
        new RecordingRegistry(subjects, registry), new TopicsConfig("p", 1, 1));

    assertThat(subjects)
        .hasSize(13)
        .containsKeys("p-gaps-value", "p-intents-dev.restitch.avro.Done", "p-control-value");
  }

  @Test
  void shouldRefuseARecordThatDoesNotFitItsSchema() {
    assertThatThrownBy(() -> serde.serializer().serialize("restitch-gaps", new Gap()))
        .isInstanceOf(SerializationException.class)
        .hasMessageContaining("restitch-gaps")
        .hasMessageContaining("dev.restitch.avro.Gap");
  }

  @Test
  void shouldRefuseARecordOfAnotherTopic() {
    byte[] gap = serde.serializer().serialize("x", new Samples(1).record(Gap.getClassSchema()));
    Serde<Coverage> coverage = AvroSerde.of(registry, Topics.COVERAGE);

    assertThatThrownBy(() -> coverage.deserializer().deserialize("restitch-coverage", gap))
        .isInstanceOf(SerializationException.class)
        .hasMessageContaining("Gap, which has no place there");
  }

  @Test
  void shouldReadAndWriteOnManyThreadsAtOnce() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<Future<Integer>> results = new ArrayList<>();
      for (int thread = 0; thread < 8; thread++) {
        long seed = thread;
        results.add(threads.submit(roundTrips(seed)));
      }
      for (Future<Integer> result : results) {
        assertThat(result.get()).isEqualTo(4000);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private Callable<Integer> roundTrips(long seed) {
    return () -> {
      Samples samples = new Samples(seed);
      Random random = new Random(seed);
      List<Schema> schemas = schemas();
      int equal = 0;
      for (int i = 0; i < 4000; i++) {
        SpecificRecord record = samples.record(schemas.get(random.nextInt(schemas.size())));
        byte[] bytes = serde.serializer().serialize(record.getSchema().getName() + i % 3, record);
        equal += serde.deserializer().deserialize("any", bytes).equals(record) ? 1 : 0;
      }
      return equal;
    };
  }

  private record FixedIdRegistry(int id, SchemaRegistry inner) implements SchemaRegistry {

    @Override
    public int register(String subject, Schema schema) {
      return id;
    }

    @Override
    public Schema byId(int wanted) {
      return inner.byId(wanted);
    }

    @Override
    public boolean compatible(String subject, Schema schema) {
      return inner.compatible(subject, schema);
    }

    @Override
    public boolean registered(String subject, Schema schema) {
      return inner.registered(subject, schema);
    }

    @Override
    public void ping() {
      inner.ping();
    }

    @Override
    public String address() {
      return inner.address();
    }
  }

  private record RecordingRegistry(Map<String, Schema> subjects, SchemaRegistry inner)
      implements SchemaRegistry {

    @Override
    public int register(String subject, Schema schema) {
      subjects.put(subject, schema);
      return inner.register(subject, schema);
    }

    @Override
    public Schema byId(int wanted) {
      return inner.byId(wanted);
    }

    @Override
    public boolean compatible(String subject, Schema schema) {
      return inner.compatible(subject, schema);
    }

    @Override
    public boolean registered(String subject, Schema schema) {
      return inner.registered(subject, schema);
    }

    @Override
    public void ping() {
      inner.ping();
    }

    @Override
    public String address() {
      return inner.address();
    }
  }
}
