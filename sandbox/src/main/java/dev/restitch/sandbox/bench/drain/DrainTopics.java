package dev.restitch.sandbox.bench.drain;

import dev.restitch.config.RestitchConfig;
import dev.restitch.topic.Topic;
import dev.restitch.topic.Topics;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;

/**
 * The topics of one data set. Records carry the time that their producer gives them, so that time
 * recorded in hours can be drained in seconds.
 */
final class DrainTopics implements AutoCloseable {

  private static final Map<String, String> SETTINGS =
      Map.of("message.timestamp.type", "CreateTime", "retention.ms", "-1");
  private static final List<Topic<?>> BY_ROUND =
      List.of(Topics.SNAPSHOTS, Topics.PROBES, Topics.INCIDENTS, Topics.REPAIRS);

  private final RestitchConfig config;
  private final Admin admin;

  DrainTopics(RestitchConfig config, String bootstrapServers) {
    this.config = config;
    this.admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers));
  }

  /** Makes all topics of the contract, and one for what peers find. */
  void create() throws IOException, InterruptedException {
    List<NewTopic> topics = new ArrayList<>();
    for (Topic<?> topic : Topics.all()) {
      topics.add(topic(topic.name(config.topics()), topic.partitions(config.topics())));
    }
    topics.add(topic(foundByPeers(config), config.topics().partitions()));
    done(() -> admin.createTopics(topics).all().get());
  }

  private static NewTopic topic(String name, int partitions) {
    return new NewTopic(name, partitions, (short) 1).configs(SETTINGS);
  }

  /** The topic that peers write what they find to. */
  static String foundByPeers(RestitchConfig config) {
    return config.topics().prefix() + "-found";
  }

  /** Empties what a round has written, and forgets the application that has run in it. */
  void forget(String application) throws IOException, InterruptedException {
    done(
        () -> {
          Collection<String> internal = internal(application);
          admin.deleteTopics(internal).all().get();
          try {
            // a stopped application stays a member until its session ends
            admin
                .removeMembersFromConsumerGroup(
                    application, new RemoveMembersFromConsumerGroupOptions())
                .all()
                .get();
            admin.deleteConsumerGroups(List.of(application)).all().get();
          } catch (ExecutionException e) {
            if (!(e.getCause() instanceof GroupIdNotFoundException)
                && !(e.getCause().getCause() instanceof GroupIdNotFoundException)) {
              throw e;
            }
          }
          Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
          for (Topic<?> topic : BY_ROUND) {
            for (int p = 0; p < topic.partitions(config.topics()); p++) {
              ends.put(new TopicPartition(topic.name(config.topics()), p), OffsetSpec.latest());
            }
          }
          Map<TopicPartition, ListOffsetsResultInfo> found = admin.listOffsets(ends).all().get();
          Map<TopicPartition, RecordsToDelete> all = new HashMap<>();
          found.forEach((p, end) -> all.put(p, RecordsToDelete.beforeOffset(end.offset())));
          return admin.deleteRecords(all).all().get();
        });
  }

  /** Bytes on disk of the changelogs of an application. */
  long changelogBytes(String application) throws IOException, InterruptedException {
    return done(
        () -> {
          Collection<String> changelogs =
              internal(application).stream()
                  .filter(t -> t.endsWith("-changelog"))
                  .collect(Collectors.toSet());
          long bytes = 0;
          for (var broker : admin.describeLogDirs(List.of(1)).allDescriptions().get().values()) {
            for (var dir : broker.values()) {
              for (var replica : dir.replicaInfos().entrySet()) {
                if (changelogs.contains(replica.getKey().topic())) {
                  bytes += replica.getValue().size();
                }
              }
            }
          }
          return bytes;
        });
  }

  private Collection<String> internal(String application)
      throws ExecutionException, InterruptedException {
    return admin.listTopics().names().get().stream()
        .filter(
            name ->
                name.startsWith(application + "-")
                    && (name.endsWith("-changelog") || name.endsWith("-repartition")))
        .toList();
  }

  private interface Asked<T> {
    T answer() throws ExecutionException, InterruptedException;
  }

  private static <T> T done(Asked<T> asked) throws IOException, InterruptedException {
    try {
      return asked.answer();
    } catch (ExecutionException e) {
      throw new IOException("the broker refused: " + e.getCause().getMessage(), e);
    }
  }

  @Override
  public void close() {
    admin.close();
  }
}
