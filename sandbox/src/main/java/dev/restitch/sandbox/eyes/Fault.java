package dev.restitch.sandbox.eyes;

import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.KillArgs;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/**
 * What can blind an auditor. Each is done while the load goes on, and returns when it is mended;
 * the world must come to rest by itself afterwards.
 */
enum Fault {

  /** Nothing goes wrong: every side is seen. */
  NONE(false) {
    @Override
    void strike(World world) throws InterruptedException {
      world.pause(1_000);
    }
  },

  /** Every subscriber's connection is reset, and for a while no other is let in. */
  CONNECTION_CUT(true) {
    @Override
    void strike(World world) throws Exception {
      for (Server server : world.servers().shards()) {
        server.proxy().refuse();
        server.proxy().cut();
      }
      for (Server node : world.servers().primaries()) {
        killSubscribers(node);
      }
      world.pause(1_500);
      for (Server server : world.servers().shards()) {
        server.proxy().allow();
      }
    }
  },

  /** Subscribers read nothing until the servers drop them for their full output buffers. */
  SUBSCRIBER_THROTTLED(true) {
    @Override
    void strike(World world) throws Exception {
      List<Server> servers = world.servers().allPrimaries();
      for (Server server : servers) {
        server.commands().configSet("client-output-buffer-limit", "pubsub 65536 0 0");
        server.proxy().stallSubscribers(true);
      }
      world.flood(() -> servers.stream().allMatch(server -> subscribers(server) == 0));
      for (Server server : servers) {
        server.proxy().stallSubscribers(false);
      }
    }
  },

  /** The connection is lost, and the server refuses to subscribe it again. */
  RESUBSCRIBE_REFUSED(true) {
    @Override
    void strike(World world) throws Exception {
      // takes the right away, and with it the connections that used it
      for (Server server : world.servers().allPrimaries()) {
        server.commands().aclSetuser("default", AclSetuserArgs.Builder.resetChannels());
      }
      world.pause(2_500);
      for (Server server : world.servers().allPrimaries()) {
        server.commands().aclSetuser("default", AclSetuserArgs.Builder.allChannels());
      }
    }
  },

  /** A server comes back with its data, and tells no events until somebody switches them on. */
  RESTARTED_SILENT(true) {
    @Override
    void strike(World world) throws Exception {
      Server server = world.servers().shards().get(0);
      server.commands().save();
      server.process().restart(List.of("--notify-keyspace-events", ""));
      world.awaitSentence("Blind");
      world.pause(1_000);
      server.commands().configSet("notify-keyspace-events", "KEA");
    }
  },

  /** A replica takes over by command. */
  FAILOVER_BY_COMMAND(true) {
    @Override
    void strike(World world) throws Exception {
      Server replica = world.replica();
      replica.commands().clusterFailover(false);
      world.await(replica::primary, "the replica did not take over");
    }
  },

  /** A node joins, and slots move to it. */
  SLOTS_MOVED(true) {
    @Override
    void strike(World world) throws Exception {
      Server from = world.servers().primaries().get(0);
      Server added = world.servers().addNode();
      world.await(
          () -> added.commands().clusterInfo().contains("cluster_state:ok"),
          "the new node does not see the whole cluster");
      world.moveSlots(from, added);
    }
  },

  /** A primary dies with acknowledged writes that no replica has. */
  PRIMARY_KILLED(true) {
    @Override
    void strike(World world) throws Exception {
      Server primary = world.primaryWithReplica();
      Server replica = world.replicaOf(primary);
      forbidReplication(primary);
      world.pause(2_000);
      primary.process().kill();
      world.struckNow();
      world.await(replica::primary, "the replica did not take over");
    }
  },

  /** The auditor ends by SIGKILL, and is started again. */
  AUDITOR_KILLED(true) {
    @Override
    void strike(World world) throws Exception {
      world.auditor().kill();
      world.pause(1_500);
      world.auditor().start(false);
      world.await(() -> world.auditor().view().answers(), "the auditor did not come back");
    }
  },

  /** No notification is lost, and sweeps go on beside. */
  LOSS_0(false) {
    @Override
    void strike(World world) throws Exception {
      world.lose(0);
    }
  },

  /** One notification in four is lost, and nobody is told. */
  LOSS_25(false) {
    @Override
    void strike(World world) throws Exception {
      world.lose(0.25);
    }
  },

  /** Every other notification is lost, and nobody is told. */
  LOSS_50(false) {
    @Override
    void strike(World world) throws Exception {
      world.lose(0.5);
    }
  },

  /** Every notification is lost, and nobody is told. */
  LOSS_100(false) {
    @Override
    void strike(World world) throws Exception {
      world.lose(1);
    }
  };

  private final boolean gap;

  Fault(boolean gap) {
    this.gap = gap;
  }

  /** Does it, and mends it. */
  abstract void strike(World world) throws Exception;

  /** True if what may have been missed is known, and must be told as a gap. */
  boolean gap() {
    return gap;
  }

  /** True if nothing but the sweep of everything can find what was missed. */
  boolean background() {
    return compareTo(LOSS_0) >= 0;
  }

  /** Its name, for people. */
  String title() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static void killSubscribers(Server server) {
    server.commands().clientKill(KillArgs.Builder.typePubsub());
  }

  private static long subscribers(Server server) {
    return server
        .commands()
        .clientList()
        .lines()
        .filter(line -> line.contains(" psub=") && !line.contains(" psub=0"))
        .count();
  }

  /** Lets no replica follow any more, so that what is written next is acknowledged and lost. */
  private static void forbidReplication(Server primary) throws IOException {
    primary
        .commands()
        .dispatch(
            CommandType.ACL,
            new StatusOutput<>(ByteArrayCodec.INSTANCE),
            new CommandArgs<>(ByteArrayCodec.INSTANCE)
                .add("SETUSER")
                .add("default")
                .add("-psync")
                .add("-sync"));
    primary.commands().clientKill(KillArgs.Builder.typeSlave());
  }
}
