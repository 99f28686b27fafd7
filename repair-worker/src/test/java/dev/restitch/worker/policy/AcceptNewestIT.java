package dev.restitch.worker.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.restitch.avro.Outcome;
import dev.restitch.avro.Policy;
import dev.restitch.config.RestitchConfig;
import dev.restitch.model.Bytes;
import dev.restitch.model.Verdict;
import dev.restitch.store.StoreClient;
import dev.restitch.store.StoreClients;
import dev.restitch.store.StoreNode;
import dev.restitch.worker.Commands;
import dev.restitch.worker.Configs;
import dev.restitch.worker.TestRedis;
import dev.restitch.worker.apply.ServerSides;
import dev.restitch.worker.apply.Servers;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What happens between the worker's own steps. */
class AcceptNewestIT {

  private static TestRedis eastServer;
  private static TestRedis westServer;
  private static RestitchConfig config;
  private static Map<String, StoreClient> stores;
  private static Mappings mappings;
  private static RedisCommands<String, String> east;
  private static RedisCommands<String, String> west;

  @BeforeAll
  static void startServers() {
    eastServer = new TestRedis();
    westServer = new TestRedis();
    config = Configs.of(eastServer.uri(), westServer.uri(), "jdbc:postgresql://127.0.0.1/none");
    stores = StoreClients.openAll(config, "policy-test");
    mappings = new Mappings(config.relations().values());
    east = eastServer.commands();
    west = westServer.commands();
  }

  @AfterAll
  static void stopServers() {
    mappings.close();
    stores.values().forEach(StoreClient::close);
    eastServer.close();
    westServer.close();
  }

  @BeforeEach
  void clean() {
    east.flushall();
    west.flushall();
    east.set("conf:a", "2:new:x");
  }

  @Test
  void shouldTakeBackWhatItFilledWhenTheSourceIsDeletedMeanwhile() {
    Repair repair = fill(beforeUse("east", 2, () -> east.del("conf:a")));

    assertThat(repair.outcome()).isEqualTo(Outcome.CONFLICT);
    assertThat(west.exists("conf:a")).isZero();
  }

  @Test
  void shouldTakeBackWhatItFilledWhenTheSourceMovesMeanwhile() {
    Repair repair = fill(beforeUse("east", 2, () -> east.set("conf:a", "3:newer:y")));

    assertThat(repair.outcome()).isEqualTo(Outcome.CONFLICT);
    assertThat(west.exists("conf:a")).isZero();
  }

  @Test
  void shouldNotTakeBackWhatAnotherHasWrittenSince() {
    Repair repair =
        fill(
            beforeUse(
                "east",
                2,
                () -> {
                  east.set("conf:a", "3:newer:y");
                  west.set("conf:a", "3:newer:y");
                }));

    assertThat(repair.outcome()).isEqualTo(Outcome.CONFLICT);
    assertThat(west.get("conf:a")).isEqualTo("3:newer:y");
  }

  @Test
  void shouldNotFillASideThatIsNoLongerAbsent() {
    Repair repair = fill(beforeUse("west", 1, () -> west.set("conf:a", "1:late:y")));

    assertThat(repair.outcome()).isEqualTo(Outcome.CONFLICT);
    assertThat(west.get("conf:a")).isEqualTo("1:late:y");
  }

  @Test
  void shouldWriteNothingWhereTheSourceMovesBeforeItIsRead() {
    Repair stopped = fill(beforeUse("east", 1, () -> east.set("conf:a", "3:newer:y")));

    assertThat(stopped.outcome()).isEqualTo(Outcome.SUPERSEDED);
    assertThat(west.exists("conf:a")).isZero();
  }

  private static Repair fill(Map<String, StoreClient> through) {
    RepairOrder order =
        RepairOrder.of(
            Commands.of("conf/a", Policy.ACCEPT_NEWEST, Verdict.TORN_MISSING)
                .torn(2, "new")
                .stamped("east", "conf:a", 2L, "new")
                .absent("west", "conf:a")
                .behind("west", "conf:a")
                .build(),
            config.resolver());
    return new AcceptNewest(new ServerSides(new Servers(through)), mappings)
        .mend(order)
        .exceptionally(
            failure -> {
              RepairStopped stopped = (RepairStopped) failure.getCause();
              return Repair.none(stopped.outcome(), stopped.getMessage());
            })
        .toCompletableFuture()
        .orTimeout(10, TimeUnit.SECONDS)
        .join();
  }

  /** The stores, with something done just before a store is used for the given time. */
  private static Map<String, StoreClient> beforeUse(String store, int use, Runnable action) {
    Map<String, StoreClient> wrapped = new HashMap<>(stores);
    wrapped.put(store, new Interrupted(stores.get(store), use, action));
    return wrapped;
  }

  private record Interrupted(StoreClient real, int use, Runnable action, AtomicInteger uses)
      implements StoreClient {

    Interrupted(StoreClient real, int use, Runnable action) {
      this(real, use, action, new AtomicInteger());
    }

    @Override
    public String name() {
      return real.name();
    }

    @Override
    public RedisClusterAsyncCommands<byte[], byte[]> commands(Bytes key) {
      if (uses.incrementAndGet() == use) {
        action.run();
      }
      return real.commands(key);
    }

    @Override
    public StoreNode nodeOf(Bytes key) {
      return real.nodeOf(key);
    }

    @Override
    public List<StoreNode> primaries() {
      return real.primaries();
    }

    @Override
    public void onTopologyChange(Runnable listener) {
      real.onTopologyChange(listener);
    }

    @Override
    public void close() {}
  }
}
