package dev.restitch.topology;

import dev.restitch.kafka.DeadLetter;
import dev.restitch.kafka.PoisonRecord;
import dev.restitch.registry.RegistryException;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.DeserializationExceptionHandler;
import org.apache.kafka.streams.errors.ErrorHandlerContext;
import org.apache.kafka.streams.errors.ProcessingExceptionHandler;
import org.apache.kafka.streams.processor.api.Record;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the judge does with records that it cannot use: they go to the dead letters, in the same
 * transaction, and the next is taken. A registry that does not answer is no fault of the record:
 * the thread fails, is replaced, and tries again.
 */
public final class PoisonRecords
    implements DeserializationExceptionHandler, ProcessingExceptionHandler {

  private static final Logger log = LoggerFactory.getLogger(PoisonRecords.class);
  private static final String COMPONENT = "restitch-judge";

  private String deadLetters;

  @Override
  public void configure(Map<String, ?> configs) {
    deadLetters =
        String.valueOf(configs.get(StreamsConfig.ERRORS_DEAD_LETTER_QUEUE_TOPIC_NAME_CONFIG));
  }

  @Override
  public DeserializationExceptionHandler.Response handleError(
      ErrorHandlerContext context, ConsumerRecord<byte[], byte[]> record, Exception error) {
    if (error instanceof RegistryException) {
      return DeserializationExceptionHandler.Response.fail();
    }
    PoisonRecord poison =
        new PoisonRecord(
            record.topic(),
            record.partition(),
            record.offset(),
            record.timestamp(),
            record.headers(),
            record.key(),
            record.value());
    return DeserializationExceptionHandler.Response.resume(List.of(letter(poison, error)));
  }

  @Override
  public ProcessingExceptionHandler.Response handleError(
      ErrorHandlerContext context, Record<?, ?> record, Exception error) {
    if (context.topic() == null) {
      log.atError()
          .addKeyValue("task", context.taskId())
          .setCause(error)
          .log("a timer of the judge failed");
      return ProcessingExceptionHandler.Response.resume();
    }
    PoisonRecord poison =
        new PoisonRecord(
            context.topic(),
            context.partition(),
            context.offset(),
            context.timestamp(),
            context.headers(),
            context.sourceRawKey(),
            context.sourceRawValue());
    return ProcessingExceptionHandler.Response.resume(List.of(letter(poison, error)));
  }

  private ProducerRecord<byte[], byte[]> letter(PoisonRecord poison, Exception error) {
    log.atWarn()
        .addKeyValue("topic", poison.topic())
        .addKeyValue("partition", poison.partition())
        .addKeyValue("offset", poison.offset())
        .addKeyValue("error", error.toString())
        .log("record put aside");
    return DeadLetter.of(deadLetters, poison, error, COMPONENT);
  }
}
