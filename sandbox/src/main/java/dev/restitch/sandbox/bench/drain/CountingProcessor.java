package dev.restitch.sandbox.bench.drain;

import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.Record;

/** Does nothing but count. */
final class CountingProcessor implements Processor<String, byte[], Void, Void> {

  private final LongAdder seen;

  CountingProcessor(LongAdder seen) {
    this.seen = seen;
  }

  @Override
  public void process(Record<String, byte[]> record) {
    seen.increment();
  }
}
