package dev.restitch.sandbox.bench.drain;

import dev.restitch.config.RestitchConfig;
import dev.restitch.registry.SchemaRegistry;
import dev.restitch.topology.JudgeStreams;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

/** The product's own topology, run as the auditor runs it. */
final class JudgeDrain implements Drain {

  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final JudgeStreams judge;
  private final String application;

  JudgeDrain(RestitchConfig config, SchemaRegistry registry) {
    judge = new JudgeStreams(config, registry, meters);
    application = config.topics().prefix() + "-judge";
  }

  @Override
  public void start() {
    judge.start();
  }

  @Override
  public long seen() {
    Counter judged = meters.find("restitch.judge.records").tag("result", "judged").counter();
    return judged == null ? 0 : (long) judged.count();
  }

  @Override
  public String application() {
    return application;
  }

  @Override
  public void close() {
    judge.close();
  }
}
