package dev.restitch.sandbox.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.restitch.config.RestitchConfig;
import dev.restitch.kafka.KafkaClients;
import dev.restitch.registry.SchemaRegistries;
import dev.restitch.registry.SchemaRegistry;
import dev.restitch.sandbox.server.Lifetime;
import dev.restitch.sandbox.server.Ports;
import dev.restitch.sandbox.server.Scratch;
import dev.restitch.sandbox.workload.Agenda;
import dev.restitch.sandbox.workload.Checker;
import dev.restitch.sandbox.workload.Discrepancy;
import dev.restitch.sandbox.workload.IncidentFeed;
import dev.restitch.sandbox.workload.Injection;
import dev.restitch.sandbox.workload.Tear;
import dev.restitch.sandbox.workload.Truth;
import dev.restitch.sandbox.workload.Workload;
import dev.restitch.sandbox.workload.Writers;
import dev.restitch.store.StoreClient;
import dev.restitch.store.StoreClients;
import dev.restitch.topic.TopicProvisioner;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Test;

/** The workload and its checker on real servers, with nobody there to mend anything. */
class WorkloadIT {

  private static final int ACTS = 3_000;
  private static final int TEARS = 20;

  @Test
  void shouldLeaveExactlyTheTearsThatItMadeOnPurpose() throws Exception {
    try (Lifetime lifetime = Lifetime.begin()) {
      Scratch scratch = lifetime.own(Scratch.create("restitch-workload-"));
      DemoServers servers = DemoServers.start(lifetime, scratch);
      RestitchConfig config = DemoConfig.write(scratch.dir(), servers, Ports.free()).config();
      try (Admin admin = KafkaClients.admin(config)) {
        TopicProvisioner.ensure(admin, config.topics());
      }
      SchemaRegistry registry = SchemaRegistries.open(config.registry());
      Map<String, StoreClient> stores = StoreClients.openAll(config, "restitch-test");
      stores.values().forEach(lifetime::own);
      var producer = lifetime.own(KafkaClients.producer(config, registry, "restitch-test"));
      Truth truth = lifetime.own(Truth.create(servers.postgres().dataSource()));
      Writers writers = lifetime.own(Writers.open(config, stores, producer));
      Workload workload = new Workload(config, 200, writers, truth);
      lifetime.own(IncidentFeed.start(config, registry, workload.ledger()::heard));
      Random random = new Random(7);
      Agenda agenda = Agenda.draw(ACTS, TEARS, random);

      boolean whole = workload.run(agenda, random, 600, Duration.ofSeconds(60));

      assertThat(workload.failures()).isEmpty();
      assertThat(whole).isTrue();
      assertThat(workload.written()).isGreaterThanOrEqualTo(ACTS - 5);
      List<Injection.Standing> injections = workload.ledger().injections();
      assertThat(injections).hasSize(TEARS);
      assertThat(injections).extracting(Injection.Standing::tear).contains(Tear.values());
      Set<String> torn =
          injections.stream().map(Injection.Standing::instance).collect(Collectors.toSet());
      Checker checker = new Checker(stores, truth);
      // short markers take their time to run out
      await()
          .atMost(Duration.ofSeconds(15))
          .untilAsserted(
              () ->
                  assertThat(checker.check(workload))
                      .allMatch(Discrepancy::torn)
                      .extracting(Discrepancy::instance)
                      .containsExactlyInAnyOrderElementsOf(torn));
    }
  }
}
