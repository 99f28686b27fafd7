package dev.restitch.sandbox.demo;

import dev.restitch.sandbox.registry.EmbeddedRegistry;
import dev.restitch.sandbox.server.EmbeddedKafka;
import dev.restitch.sandbox.server.Lifetime;
import dev.restitch.sandbox.server.PostgresServer;
import dev.restitch.sandbox.server.RedisProcess;
import dev.restitch.sandbox.server.Scratch;
import java.util.concurrent.CompletableFuture;

/** The servers that the demo brings along. */
record DemoServers(
    EmbeddedKafka kafka,
    RedisProcess east,
    RedisProcess west,
    PostgresServer postgres,
    EmbeddedRegistry registry) {

  /** Starts all at once; returns when all are ready. They end with the lifetime. */
  static DemoServers start(Lifetime lifetime, Scratch scratch) {
    CompletableFuture<EmbeddedKafka> kafka =
        lifetime.start("kafka", () -> EmbeddedKafka.start(scratch));
    CompletableFuture<RedisProcess> east =
        lifetime.start("redis-east", () -> RedisProcess.start(scratch));
    CompletableFuture<RedisProcess> west =
        lifetime.start("redis-west", () -> RedisProcess.start(scratch));
    CompletableFuture<PostgresServer> postgres =
        lifetime.start("postgres", () -> PostgresServer.start(scratch));
    CompletableFuture<EmbeddedRegistry> registry =
        lifetime.start("registry", EmbeddedRegistry::start);
    return new DemoServers(
        Lifetime.await(kafka),
        Lifetime.await(east),
        Lifetime.await(west),
        Lifetime.await(postgres),
        Lifetime.await(registry));
  }
}
