package dev.restitch.read;

import static dev.restitch.read.TestRedis.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.restitch.config.Secret;
import dev.restitch.config.StoreConfig;
import dev.restitch.config.StoreConfig.Kind;
import dev.restitch.model.Bytes;
import dev.restitch.store.StoreClient;
import dev.restitch.store.StoreClients;
import dev.restitch.store.StoreException;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.KillArgs;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StoreClientsIT {

  private static StoreConfig store(TestRedis redis, String user, String password) {
    return new StoreConfig(
        "east",
        Kind.STANDALONE,
        List.of(redis.uri() + "/3"),
        user,
        password == null ? null : new Secret(password),
        true,
        null);
  }

  @Test
  void shouldEnterAsTheConfiguredUserWithNameAndDatabase() {
    try (TestRedis redis = TestRedis.primary()) {
      redis
          .commands()
          .aclSetuser(
              "app", AclSetuserArgs.Builder.on().addPassword("right").allKeys().allCommands());
      try (StoreClient client = StoreClients.open(store(redis, "app", "right"), "restitch-x")) {
        client.commands(Bytes.utf8("k")).set(bytes("k"), bytes("v")).toCompletableFuture().join();

        assertThat(redis.commands().get(bytes("k"))).isNull();
        assertThat(redis.commands().clientList())
            .contains("name=restitch-x")
            .contains("user=app")
            .contains("db=3");
        assertThat(client.primaries().get(0).database()).isEqualTo(3);
      }
      assertThatThrownBy(() -> StoreClients.open(store(redis, "app", "wrong-one"), "x"))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining(redis.address())
          .hasMessageContaining("check the store's username and password")
          .hasMessageNotContaining("wrong-one");
    }
  }

  @Test
  void shouldRefuseCommandsWhileDisconnectedAndForgetTheRunId() {
    TestRedis redis = TestRedis.primary();
    try (StoreClient client = StoreClients.open(store(redis, null, null), "x")) {
      await().until(() -> client.primaries().get(0).runId().isPresent());
      redis.close();
      await().until(() -> client.primaries().get(0).runId().isEmpty());

      assertThat(client.commands(Bytes.utf8("k")).get(bytes("k")).toCompletableFuture())
          .isCompletedExceptionally();
    }
  }

  @Test
  void shouldComeBackAfterTheServerCutTheConnection() {
    try (TestRedis redis = TestRedis.primary();
        StoreClient client = StoreClients.open(store(redis, null, null), "x")) {
      await().until(() -> client.primaries().get(0).runId().isPresent());
      redis.commands().clientKill(KillArgs.Builder.typeNormal().skipme());

      await()
          .ignoreExceptions()
          .until(() -> client.commands(Bytes.utf8("k")).ping().get().equals("PONG"));
      await().until(() -> client.primaries().get(0).runId().isPresent());
    }
  }

  @Test
  void shouldReachEveryNodeOfAClusterWithTheFirstCommands() {
    List<TestRedis> nodes = TestRedis.cluster(3);
    await()
        .until(
            () ->
                nodes.stream()
                    .allMatch(n -> n.commands().clusterInfo().contains("cluster_state:ok")));
    StoreConfig config =
        new StoreConfig("east", Kind.CLUSTER, List.of(nodes.get(1).uri()), null, null, true, null);
    try (StoreClient client = StoreClients.open(config, "x")) {
      List<CompletableFuture<String>> written = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        byte[] key = bytes("k" + i);
        written.add(client.commands(Bytes.copyOf(key)).set(key, bytes("v")).toCompletableFuture());
      }
      assertThat(written).allSatisfy(set -> assertThat(set.join()).isEqualTo("OK"));
      assertThat(client.primaries()).hasSize(3);
      Set<String> holders =
          IntStream.range(0, 100)
              .mapToObj(i -> client.nodeOf(Bytes.utf8("k" + i)).id())
              .collect(Collectors.toSet());
      assertThat(holders)
          .isEqualTo(nodes.stream().map(TestRedis::address).collect(Collectors.toSet()));
    } finally {
      nodes.forEach(TestRedis::close);
    }
  }
}
