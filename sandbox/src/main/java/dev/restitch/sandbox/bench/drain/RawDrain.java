package dev.restitch.sandbox.bench.drain;

import dev.restitch.config.RestitchConfig;
import dev.restitch.kafka.KafkaClients;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;

/** Reads all partitions and counts. */
final class RawDrain implements Drain {

  private final Consumer<String, byte[]> consumer;
  private final AtomicLong seen = new AtomicLong();
  private final Thread thread = new Thread(this::run, "raw-consumer");
  private volatile boolean closed;

  RawDrain(RestitchConfig config) {
    consumer = KafkaClients.consumer(config, "raw", null);
    List<TopicPartition> all = new ArrayList<>();
    for (String topic : JudgeInputs.names(config)) {
      consumer
          .partitionsFor(topic)
          .forEach(p -> all.add(new TopicPartition(p.topic(), p.partition())));
    }
    consumer.assign(all);
    consumer.seekToBeginning(all);
  }

  @Override
  public void start() {
    thread.start();
  }

  private void run() {
    try {
      while (!closed) {
        seen.addAndGet(consumer.poll(Duration.ofMillis(100)).count());
      }
    } catch (WakeupException e) {
      closed = true;
    } finally {
      consumer.close();
    }
  }

  @Override
  public long seen() {
    return seen.get();
  }

  @Override
  public String application() {
    return "";
  }

  @Override
  public void close() {
    closed = true;
    consumer.wakeup();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
