package dev.restitch.topology;

import java.util.Map;
import org.apache.kafka.streams.state.StoreBuilder;

/** Builds an {@link InstanceTable}, which is always logged and has no other cache than itself. */
record InstanceTableBuilder(String name) implements StoreBuilder<InstanceTable> {

  @Override
  public StoreBuilder<InstanceTable> withCachingEnabled() {
    return this;
  }

  @Override
  public StoreBuilder<InstanceTable> withCachingDisabled() {
    return this;
  }

  @Override
  public StoreBuilder<InstanceTable> withLoggingEnabled(Map<String, String> config) {
    return this;
  }

  @Override
  public StoreBuilder<InstanceTable> withLoggingDisabled() {
    throw new UnsupportedOperationException("what the judge remembers survives restarts");
  }

  @Override
  public InstanceTable build() {
    return new InstanceTable(name);
  }

  @Override
  public Map<String, String> logConfig() {
    return Map.of();
  }

  @Override
  public boolean loggingEnabled() {
    return true;
  }
}
