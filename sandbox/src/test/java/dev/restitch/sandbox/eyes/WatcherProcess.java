package dev.restitch.sandbox.eyes;

import dev.restitch.config.ConfigLoader;
import dev.restitch.config.RestitchConfig;
import dev.restitch.kafka.KafkaClients;
import dev.restitch.registry.SchemaRegistries;
import dev.restitch.registry.SchemaRegistry;
import dev.restitch.store.StoreClients;
import dev.restitch.topic.Topics;
import dev.restitch.watch.CoverageFeed;
import dev.restitch.watch.GroupShare;
import dev.restitch.watch.Watcher;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** A watcher in a process of its own, for tests that kill it. Arguments: configuration, name. */
final class WatcherProcess {

  private WatcherProcess() {}

  public static void main(String[] args) throws Exception {
    RestitchConfig config = ConfigLoader.parse(Files.readString(Path.of(args[0])), Map.of());
    SchemaRegistry registry = SchemaRegistries.open(config.registry());
    CoverageFeed marks =
        new CoverageFeed(
            () -> KafkaClients.consumer(config, "feed", null),
            Topics.COVERAGE.name(config.topics()),
            registry,
            Clock.systemUTC());
    marks.start();
    GroupShare share =
        new GroupShare(
            () -> KafkaClients.member(config, "share", GroupShare.group(config)),
            Topics.GAPS.name(config.topics()),
            config.topics().partitions(),
            marks);
    share.start();
    Watcher watcher =
        new Watcher(
            config,
            StoreClients.openAll(config, args[1]),
            KafkaClients.producer(config, registry, args[1]),
            args[1],
            share);
    watcher.start();
    new CountDownLatch(1).await();
  }
}
