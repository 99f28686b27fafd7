package dev.restitch.sandbox.demo;

import dev.restitch.config.RestitchConfig;
import dev.restitch.kafka.KafkaClients;
import dev.restitch.topic.Topics;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.ListGroupsOptions;

/** Auditor and repair worker, each a process of its own. */
final class Services implements AutoCloseable {

  /** The names of all services. */
  static final List<String> NAMES = List.of("auditor", "worker");

  private static final Duration READY_IN = Duration.ofSeconds(90);
  private static final Duration ASK_AT_MOST = Duration.ofSeconds(2);

  private final ServiceProcess auditor;
  private final ServiceProcess worker;

  private Services(ServiceProcess auditor, ServiceProcess worker) {
    this.auditor = auditor;
    this.worker = worker;
  }

  /**
   * Prepares both; starts nothing yet.
   *
   * @param folder where they run
   * @param logs where their output goes
   */
  static Services prepare(Home home, DemoConfig config, Path folder, Path logs) throws IOException {
    Files.createDirectories(logs);
    String file = config.file().toString();
    return new Services(
        new ServiceProcess(
            "auditor",
            home.jar("auditor"),
            List.of("auditor", "--config", file),
            folder,
            logs.resolve("auditor.log"),
            () -> auditorIsReady(config.managementPort())),
        new ServiceProcess(
            "worker",
            home.jar("repair-worker"),
            List.of("--config", file),
            folder,
            logs.resolve("repair-worker.log"),
            () -> repairsAreConsumed(config.config())));
  }

  List<ServiceProcess> all() {
    return List.of(auditor, worker);
  }

  /** The services of these names. */
  List<ServiceProcess> named(Set<String> names) {
    return all().stream().filter(service -> names.contains(service.name())).toList();
  }

  void start() throws IOException {
    for (ServiceProcess service : all()) {
      service.start();
    }
  }

  /** Waits for both; see {@link ServiceProcess#awaitReady}. */
  void awaitReady() throws Exception {
    for (ServiceProcess service : all()) {
      service.awaitReady(READY_IN);
    }
  }

  private static boolean auditorIsReady(int port) throws InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/readyz"))
            .timeout(ASK_AT_MOST)
            .build();
    try {
      return HttpClient.newHttpClient()
              .send(request, HttpResponse.BodyHandlers.discarding())
              .statusCode()
          == 200;
    } catch (IOException notYet) {
      return false;
    }
  }

  /** True if a consumer has partitions of the topic of repairs. */
  private static boolean repairsAreConsumed(RestitchConfig config) throws InterruptedException {
    String topic = Topics.REPAIRS.name(config.topics());
    try (Admin admin = KafkaClients.admin(config)) {
      Set<String> groups =
          admin.listGroups(ListGroupsOptions.forConsumerGroups()).all().get().stream()
              .map(GroupListing::groupId)
              .collect(Collectors.toSet());
      return admin.describeConsumerGroups(groups).all().get().values().stream()
          .flatMap(group -> group.members().stream())
          .flatMap(member -> member.assignment().topicPartitions().stream())
          .anyMatch(partition -> partition.topic().equals(topic));
    } catch (ExecutionException notYet) {
      return false;
    }
  }

  @Override
  public void close() {
    all().parallelStream().forEach(ServiceProcess::close);
  }
}
