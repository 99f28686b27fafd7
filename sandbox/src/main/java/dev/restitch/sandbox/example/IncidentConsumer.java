package dev.restitch.sandbox.example;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.DecoderFactory;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * A consumer of the topic of incidents that knows nothing of Restitch but the contract: Kafka,
 * Avro, and the schema registry's HTTP API. Any Confluent deserializer does the same in one line.
 *
 * <pre>
 * java -cp ... dev.restitch.sandbox.example.IncidentConsumer localhost:9092 http://localhost:8081
 * </pre>
 */
public final class IncidentConsumer {

  private static final int PREFIX_BYTES = 5;

  private final KafkaConsumer<String, byte[]> kafka;
  private final URI registry;
  private final HttpClient http = HttpClient.newHttpClient();
  private final Map<Integer, Schema> schemas = new HashMap<>();

  private IncidentConsumer(String bootstrapServers, URI registry) {
    this.registry = registry;
    this.kafka =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers",
                bootstrapServers,
                "group.id",
                "example-incidents",
                // the judge writes in transactions: what was aborted never happened
                "isolation.level",
                "read_committed",
                "auto.offset.reset",
                "earliest"),
            new StringDeserializer(),
            new ByteArrayDeserializer());
  }

  /** Prints every incident, in each of its states, until the program is ended. */
  public static void main(String[] args) throws IOException, InterruptedException {
    if (args.length != 2) {
      System.err.println("give the brokers and the registry: HOST:PORT http://HOST:PORT");
      System.exit(2);
    }
    run(args[0], args[1], "restitch-incidents", i -> System.out.println(line(i)), () -> true);
  }

  /**
   * Reads incidents from the first one on.
   *
   * @param goOn asked between polls
   */
  public static void run(
      String bootstrapServers,
      String registry,
      String topic,
      Consumer<GenericRecord> listener,
      BooleanSupplier goOn)
      throws IOException, InterruptedException {
    IncidentConsumer consumer = new IncidentConsumer(bootstrapServers, URI.create(registry));
    try (KafkaConsumer<String, byte[]> kafka = consumer.kafka) {
      kafka.subscribe(List.of(topic));
      while (goOn.getAsBoolean()) {
        for (ConsumerRecord<String, byte[]> record : kafka.poll(Duration.ofMillis(200))) {
          if (record.value() != null) { // null: the incident is forgotten
            listener.accept(consumer.decode(record.value()));
          }
        }
      }
    }
  }

  /** One line about an incident. */
  public static String line(GenericRecord incident) {
    return String.join(
        " ",
        incident.get("id").toString(),
        incident.get("state").toString(),
        incident.get("verdict").toString(),
        incident.get("instance").toString(),
        "behind " + behind(incident));
  }

  private static List<String> behind(GenericRecord incident) {
    return ((List<?>) incident.get("behind"))
        .stream()
            .map(GenericRecord.class::cast)
            .map(key -> key.get("store") + "/" + text((ByteBuffer) key.get("key")))
            .toList();
  }

  private static String text(ByteBuffer bytes) {
    return StandardCharsets.UTF_8.decode(bytes.duplicate()).toString();
  }

  /** A zero byte, the schema's id in four bytes, and Avro's binary form. */
  private GenericRecord decode(byte[] value) throws IOException, InterruptedException {
    int id = ByteBuffer.wrap(value, 1, PREFIX_BYTES - 1).getInt();
    Schema schema = schemas.get(id);
    if (schema == null) {
      schema = fetch(id);
      schemas.put(id, schema);
    }
    return new GenericDatumReader<GenericRecord>(schema)
        .read(
            null,
            DecoderFactory.get()
                .binaryDecoder(value, PREFIX_BYTES, value.length - PREFIX_BYTES, null));
  }

  private Schema fetch(int id) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(registry.resolve("/schemas/ids/" + id)).build();
    HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
    if (response.statusCode() != 200) {
      throw new IOException("the registry answered " + response.statusCode());
    }
    return new Schema.Parser()
        .parse(new ObjectMapper().readTree(response.body()).path("schema").asText());
  }
}
