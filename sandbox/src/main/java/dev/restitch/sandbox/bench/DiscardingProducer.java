package dev.restitch.sandbox.bench;

import dev.restitch.registry.InMemorySchemaRegistry;
import dev.restitch.serde.AvroSerializer;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;

/** Serializes what it is given as a real producer does, and takes it for written at once. */
final class DiscardingProducer {

  private final AvroSerializer serializer = new AvroSerializer(new InMemorySchemaRegistry());
  private final AtomicLong bytes = new AtomicLong();

  /** The producer; it knows {@code send} and {@code partitionsFor}. */
  @SuppressWarnings("unchecked")
  Producer<String, SpecificRecord> producer() {
    return (Producer<String, SpecificRecord>)
        Proxy.newProxyInstance(
            Producer.class.getClassLoader(),
            new Class<?>[] {Producer.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "send" ->
                      send(
                          (ProducerRecord<String, SpecificRecord>) arguments[0],
                          arguments.length > 1 ? (Callback) arguments[1] : null);
                  case "partitionsFor" ->
                      List.of(
                          new PartitionInfo(
                              (String) arguments[0], 0, Node.noNode(), new Node[0], new Node[0]));
                  case "close" -> null;
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  private Object send(ProducerRecord<String, SpecificRecord> sent, Callback callback) {
    bytes.addAndGet(serializer.serialize(sent.topic(), sent.value()).length);
    if (callback != null) {
      callback.onCompletion(null, null);
    }
    return CompletableFuture.completedFuture(null);
  }
}
