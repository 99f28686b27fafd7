package dev.restitch.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.restitch.config.Secret;
import dev.restitch.config.StoreConfig;
import dev.restitch.config.StoreConfig.Kind;
import dev.restitch.model.Bytes;
import io.lettuce.core.RedisFuture;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import org.junit.jupiter.api.Test;

class StoreClientsTest {

  private static StoreConfig store(Kind kind, String... uris) {
    return new StoreConfig("east", kind, List.of(uris), "app", new Secret("hush"), true, null);
  }

  private static int closedPort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @Test
  void shouldNameStoreAndAddressOfAnUnreachableServer() throws IOException {
    int port = closedPort();

    assertThatThrownBy(
            () -> StoreClients.open(store(Kind.STANDALONE, "redis://127.0.0.1:" + port), "test"))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("store 'east' at 127.0.0.1:" + port)
        .hasMessageContaining("Connection refused")
        .hasMessageNotContaining("hush");
  }

  @Test
  void shouldNameTheSeedsOfAnUnreachableCluster() throws IOException {
    int port = closedPort();

    assertThatThrownBy(
            () -> StoreClients.open(store(Kind.CLUSTER, "redis://127.0.0.1:" + port), "test"))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("127.0.0.1:" + port)
        .hasMessageNotContaining("hush");
  }

  @Test
  void shouldPlaceKeysByTheirUnsignedCrc() {
    // CRC-32 of "123456789" is 0xCBF43926, above the largest positive int
    Bytes key = Bytes.utf8("123456789");

    assertThat(ShardedStoreClient.shardOf(key, 1)).isZero();
    assertThat(ShardedStoreClient.shardOf(key, 2)).isEqualTo((int) (0xCBF43926L % 2));
    assertThat(ShardedStoreClient.shardOf(key, 7)).isEqualTo((int) (0xCBF43926L % 7));
  }

  @Test
  void shouldFailEveryCommandOfANodeThatWasNeverReached() {
    RedisFuture<byte[]> refused = Refusal.at("127.0.0.1:1").get(new byte[0]);

    assertThat(refused.toCompletableFuture()).isCompletedExceptionally();
    assertThat(refused.getError()).contains("127.0.0.1:1");
  }

  @Test
  void shouldFindTheRunIdInItsSection() {
    assertThat(RunId.parse("# Server\r\nredis_version:7.0.15\r\nrun_id:abc\r\ntcp_port:1\r\n"))
        .contains("abc");
    assertThat(RunId.parse("# Server\r\n")).isEmpty();
  }
}
