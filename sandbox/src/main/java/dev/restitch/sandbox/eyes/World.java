package dev.restitch.sandbox.eyes;

import io.lettuce.core.cluster.SlotHash;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** What faults are done to, and how they wait. Belongs to one thread. */
final class World {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long LOOK_MILLIS = 50;
  private static final int FLOOD_IDS = 24;
  private static final int FLOOD_ROUNDS = 4_000;
  private static final int LONG_NAME = 2_000;
  private static final int MOST_SLOTS_MOVED = 60;
  private static final int KEYS_OF_A_SLOT = 100;
  private static final long LOSING_MILLIS = 3_000;

  private final Servers servers;
  private final Data data;
  private final Auditor auditor;
  private Load load;
  private long struckMillis;

  World(Servers servers, Data data, Auditor auditor) {
    this.servers = servers;
    this.data = data;
    this.auditor = auditor;
  }

  Servers servers() {
    return servers;
  }

  Auditor auditor() {
    return auditor;
  }

  /** The load that is under way. */
  void load(Load under) {
    load = under;
  }

  /** The fault strikes now, not before. */
  void struckNow() {
    struckMillis = System.currentTimeMillis();
  }

  /** When the fault struck, epoch milliseconds. */
  long struckMillis() {
    return struckMillis;
  }

  /** Lets the load go on. */
  void pause(long millis) throws InterruptedException {
    Thread.sleep(millis);
  }

  /**
   * Waits until it is so.
   *
   * @throws IOException if it is not in time
   */
  void await(Callable<Boolean> so, String otherwise) throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!so.call()) {
      if (System.nanoTime() > deadline) {
        throw new IOException(otherwise);
      }
      Thread.sleep(LOOK_MILLIS);
    }
  }

  /** Waits until the auditor says so of everything. */
  void awaitSentence(String sentence) throws Exception {
    await(() -> auditor.view().sentence().equals(sentence), "the auditor never said " + sentence);
  }

  /** Loses a share of all notifications for a while. */
  void lose(double share) throws InterruptedException {
    servers.all().forEach(server -> server.proxy().lose(share));
    pause(LOSING_MILLIS);
  }

  /** Makes many long notifications on every primary, by writes that change nothing. */
  void flood(Callable<Boolean> enough) throws Exception {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < FLOOD_IDS; i++) {
      ids.add("flood" + i + "x".repeat(LONG_NAME));
    }
    for (int round = 0; !enough.call(); round++) {
      if (round == FLOOD_ROUNDS) {
        throw new IOException("no server dropped its subscriber");
      }
      for (int i = 0; i < 10; i++) {
        data.writeAll(ids, 1);
      }
    }
  }

  /** Some replica that runs. */
  Server replica() throws IOException {
    return servers.nodes().stream()
        .filter(node -> node.process().alive() && !node.primary())
        .findFirst()
        .orElseThrow(() -> new IOException("there is no replica"));
  }

  /** Some primary that has a replica, all of whose data that has. */
  Server primaryWithReplica() throws IOException {
    return servers.primaries().stream()
        .filter(primary -> primary.commands().info("replication").contains("connected_slaves:1"))
        .filter(primary -> primary.commands().waitForReplication(1, PATIENCE.toMillis()) == 1)
        .findFirst()
        .orElseThrow(() -> new IOException("no primary has a replica"));
  }

  /** The replica of a primary. */
  Server replicaOf(Server primary) throws IOException {
    String port = "master_port:" + primary.proxy().port();
    return servers.nodes().stream()
        .filter(node -> node.process().alive())
        .filter(node -> node.commands().info("replication").lines().anyMatch(port::equals))
        .findFirst()
        .orElseThrow(() -> new IOException("the primary has no replica"));
  }

  /** Moves slots that hold keys of the load, with the keys. */
  void moveSlots(Server from, Server to) {
    String fromId = from.commands().clusterMyId();
    String toId = to.commands().clusterMyId();
    load.ids().stream()
        .map(Data::profile)
        .map(SlotHash::getSlot)
        .distinct()
        .filter(slot -> from.commands().clusterCountKeysInSlot(slot) > 0)
        .limit(MOST_SLOTS_MOVED)
        .forEach(slot -> move(slot, from, fromId, to, toId));
  }

  private static void move(int slot, Server from, String fromId, Server to, String toId) {
    to.commands().clusterSetSlotImporting(slot, fromId);
    from.commands().clusterSetSlotMigrating(slot, toId);
    List<byte[]> keys = from.commands().clusterGetKeysInSlot(slot, KEYS_OF_A_SLOT);
    while (!keys.isEmpty()) {
      for (byte[] key : keys) {
        from.commands().migrate("127.0.0.1", to.process().port(), key, 0, PATIENCE.toMillis());
      }
      keys = from.commands().clusterGetKeysInSlot(slot, KEYS_OF_A_SLOT);
    }
    to.commands().clusterSetSlotNode(slot, toId);
    from.commands().clusterSetSlotNode(slot, toId);
  }
}
