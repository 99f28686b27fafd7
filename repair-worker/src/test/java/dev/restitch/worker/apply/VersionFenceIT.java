package dev.restitch.worker.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.restitch.config.RestitchConfig;
import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import dev.restitch.store.StoreClient;
import dev.restitch.store.StoreClients;
import dev.restitch.worker.FormsConfig;
import dev.restitch.worker.TestCluster;
import dev.restitch.worker.TestRedis;
import dev.restitch.writer.Expiry;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VersionFenceIT {

  private static final StoreKey MARKER = new StoreKey("east", Bytes.utf8("m"));

  private TestRedis one;
  private TestRedis two;
  private Map<String, StoreClient> stores;
  private Servers servers;
  private SideStore sides;

  @BeforeEach
  void start() {
    one = new TestRedis();
    two = new TestRedis();
    open(
        FormsConfig.of(
            "{ uris: [ \"" + one.uri() + "\", \"" + two.uri() + "\" ], sharding: crc32 }",
            "{ uri: \"" + one.uri() + "\" }"));
  }

  private void open(RestitchConfig config) {
    stores = StoreClients.openAll(config, "fence-test");
    servers = new Servers(stores);
    sides = new ServerSides(servers);
  }

  @AfterEach
  void stop() {
    stores.values().forEach(StoreClient::close);
    one.close();
    two.close();
  }

  @Test
  void shouldClaimEveryShardBeforeItsFirstCommand() {
    assertThat(one.commands().get(VersionFence.NAME)).isNull();

    for (int i = 0; i < 20; i++) {
      mark("m" + i);
    }

    assertThat(one.commands().get(VersionFence.NAME)).isEqualTo("1");
    assertThat(two.commands().get(VersionFence.NAME)).isEqualTo("1");
    assertThat(one.commands().ttl(VersionFence.NAME)).isEqualTo(-1);
    assertThat(servers.refused()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"2", "10", "9223372036854775808", "not a version", "01", ""})
  void shouldSendNothingToAStoreThatANewerVersionHasClaimed(String standing) {
    one.commands().set(VersionFence.NAME, standing);
    two.commands().set(VersionFence.NAME, standing);

    assertThatThrownBy(() -> mark("m"))
        .hasCauseInstanceOf(StoreFencedException.class)
        .hasMessageContaining("store east is claimed by version '" + standing + "'");
    assertThatThrownBy(() -> wait(sides.ttlMillis(MARKER)))
        .hasCauseInstanceOf(StoreFencedException.class);

    assertThat(one.commands().dbsize() + two.commands().dbsize()).isEqualTo(2);
    assertThat(one.commands().get(VersionFence.NAME)).isEqualTo(standing);
    assertThat(servers.refused()).containsOnlyKeys("east");
  }

  @Test
  void shouldGoOnOnceTheNewerClaimIsGone() {
    one.commands().set(VersionFence.NAME, "2");
    two.commands().set(VersionFence.NAME, "2");
    assertThatThrownBy(() -> mark("m")).hasCauseInstanceOf(StoreFencedException.class);

    one.commands().del(VersionFence.NAME);
    two.commands().del(VersionFence.NAME);
    mark("m");

    assertThat(servers.refused()).isEmpty();
  }

  @Test
  void shouldVerifyAgainWhenAnotherProcessAnswers() {
    mark("m");
    one.restart();
    two.restart();
    one.commands().set(VersionFence.NAME, "2");
    two.commands().set(VersionFence.NAME, "2");

    await()
        .ignoreExceptionsMatching(e -> !(e instanceof AssertionError))
        .untilAsserted(
            () ->
                assertThatThrownBy(() -> mark("m")).hasCauseInstanceOf(StoreFencedException.class));
    assertThat(one.commands().dbsize() + two.commands().dbsize()).isEqualTo(2);
  }

  @Test
  void shouldClaimAClusterOnceWhereItsHashTagLies() {
    stores.values().forEach(StoreClient::close);
    try (TestCluster cluster = new TestCluster()) {
      String store = "{ cluster: [ \"" + cluster.uri() + "\" ] }";
      open(FormsConfig.of(store, store));
      for (int i = 0; i < 20; i++) {
        mark("m" + i);
      }
      assertThat(cluster.commands().get(VersionFence.NAME)).isEqualTo("1");
      assertThat(cluster.commands().dbsize()).isEqualTo(21);
      stores.values().forEach(StoreClient::close);
    }
  }

  private void mark(String key) {
    wait(sides.mark(new StoreKey("east", Bytes.utf8(key)), Expiry.NONE));
  }

  private static <T> T wait(java.util.concurrent.CompletionStage<T> stage) {
    return stage.toCompletableFuture().orTimeout(10, TimeUnit.SECONDS).join();
  }
}
