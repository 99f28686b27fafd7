package dev.restitch.sandbox.bench.drain;

import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;

/** Keeps the sides of what is open, and deletes what is whole. Looks at no deadline. */
final class RocksDbProcessor implements Processor<String, byte[], String, byte[]> {

  static final String STORE = "open";

  private final LongAdder seen;
  private final int sides;
  private KeyValueStore<String, byte[]> open;

  RocksDbProcessor(LongAdder seen, int sides) {
    this.seen = seen;
    this.sides = sides;
  }

  @Override
  public void init(ProcessorContext<String, byte[]> context) {
    open = context.getStateStore(STORE);
  }

  @Override
  public void process(Record<String, byte[]> record) {
    seen.increment();
    byte[] before = open.get(record.key());
    byte[] all = LastTokens.with(before == null ? new byte[0] : before, record.value());
    if (!LastTokens.differ(all) && LastTokens.count(all) == sides) {
      open.delete(record.key());
    } else {
      open.put(record.key(), all);
    }
  }
}
