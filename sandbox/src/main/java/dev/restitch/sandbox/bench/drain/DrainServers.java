package dev.restitch.sandbox.bench.drain;

import dev.restitch.sandbox.bench.BenchRun;
import dev.restitch.sandbox.registry.EmbeddedRegistry;
import dev.restitch.sandbox.server.KafkaProcess;
import dev.restitch.sandbox.server.Lifetime;
import dev.restitch.sandbox.server.Scratch;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.utils.AppInfoParser;

/** One broker in a JVM of its own, and a registry; they end with the run. */
record DrainServers(KafkaProcess kafka, EmbeddedRegistry registry) {

  static DrainServers start(BenchRun run) {
    Scratch scratch = run.lifetime().own(Scratch.create("restitch-bench-kafka"));
    CompletableFuture<KafkaProcess> kafka =
        run.lifetime().start("kafka", () -> KafkaProcess.start(scratch));
    CompletableFuture<EmbeddedRegistry> registry =
        run.lifetime().start("registry", EmbeddedRegistry::start);
    run.versions().add("Kafka " + AppInfoParser.getVersion());
    return new DrainServers(Lifetime.await(kafka), Lifetime.await(registry));
  }
}
