package dev.restitch.doctor;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Whether a server can lose notifications, keys or counters by itself. Pure. */
final class ServerRules {

  /** The server's own defaults: 32 MiB at once, or 8 MiB for a minute. */
  private static final long HARD = 32L << 20;

  private static final long SOFT = 8L << 20;
  private static final long SOFT_SECONDS = 60;
  private static final String BUFFER = "client-output-buffer-limit";
  private static final Pattern PUBSUB = Pattern.compile("\\bpubsub (\\d+) (\\d+) (\\d+)");

  private ServerRules() {}

  /** Limits at which the server ends a slow subscriber; empty where they cannot be seen. */
  static Optional<Finding> buffer(NodeFacts f) {
    Optional<Matcher> limits = f.settings().get(BUFFER).map(PUBSUB::matcher).filter(Matcher::find);
    if (limits.isEmpty()) {
      return Optional.empty();
    }
    long hard = Long.parseLong(limits.get().group(1));
    long soft = Long.parseLong(limits.get().group(2));
    long seconds = Long.parseLong(limits.get().group(3));
    String now = BUFFER + " pubsub is " + hard + " " + soft + " " + seconds;
    String mend =
        f.address()
            .cli(
                "CONFIG SET "
                    + BUFFER
                    + " 'pubsub "
                    + HARD
                    + " "
                    + SOFT
                    + " "
                    + SOFT_SECONDS
                    + "'");
    if (hard == 0 && soft == 0) {
      return Optional.of(
          Finding.warning(
              BUFFER,
              f.where(),
              now + ": without a limit a subscriber that stalls takes the server's memory",
              mend));
    }
    boolean smaller =
        (hard > 0 && hard < HARD) || (soft > 0 && (soft < SOFT || seconds < SOFT_SECONDS));
    return Optional.of(
        smaller
            ? Finding.warning(
                BUFFER,
                f.where(),
                now
                    + ", less than the server's default: bursts end the watcher's subscription, and"
                    + " each end is a gap that must be swept",
                mend)
            : Finding.ok(BUFFER, f.where(), now));
  }

  /** What the server removes when its memory is full; empty where it cannot be seen. */
  static Optional<Finding> eviction(NodeFacts f) {
    String policy = f.info("maxmemory_policy");
    if (policy.isEmpty()) {
      return Optional.empty();
    }
    if ("0".equals(f.info("maxmemory"))) {
      return Optional.of(
          Finding.ok("eviction", f.where(), "no memory limit (policy " + policy + ")"));
    }
    String mend = f.address().cli("CONFIG SET maxmemory-policy noeviction");
    if (policy.startsWith("allkeys") && f.needs().counters()) {
      return Optional.of(
          Finding.error(
              "eviction",
              f.where(),
              "maxmemory-policy "
                  + policy
                  + " may evict version counters: the next write begins at 1 and looks older than"
                  + " everything that stands",
              mend));
    }
    if (policy.startsWith("allkeys")) {
      return Optional.of(
          Finding.warning(
              "eviction",
              f.where(),
              "maxmemory-policy "
                  + policy
                  + " may evict one side and keep another: each time an incident SIDE_EVICTED,"
                  + " which is not repaired by itself",
              mend));
    }
    if (policy.startsWith("volatile") && f.needs().expiringMarkers()) {
      return Optional.of(
          Finding.warning(
              "eviction",
              f.where(),
              "maxmemory-policy " + policy + " may evict commit markers before their time",
              mend));
    }
    return Optional.of(
        Finding.ok("eviction", f.where(), "maxmemory-policy " + policy + " spares stamped keys"));
  }

  /** Whether version counters outlive a restart; empty where there are none. */
  static Optional<Finding> persistence(NodeFacts f) {
    String aof = f.info("aof_enabled");
    if (!f.needs().counters() || aof.isEmpty() || f.replica()) {
      return Optional.empty();
    }
    if ("1".equals(aof)) {
      return Optional.of(
          Finding.ok(
              "persistence", f.where(), "version counters are kept in the append-only file"));
    }
    boolean snapshots = f.settings().get("save").map(s -> !s.isBlank()).orElse(false);
    return Optional.of(
        Finding.warning(
            "persistence",
            f.where(),
            "version counters stand here without an append-only file: a restart sets them back "
                + (snapshots ? "to the last snapshot" : "to nothing, unless a replica takes over")
                + ", and new writes look older than what stands",
            f.address().cli("CONFIG SET appendonly yes")));
  }

  /** Whether a failover can lose acknowledged writes that nothing would find. */
  static Optional<Finding> replication(NodeFacts f, boolean cluster) {
    String replicas = f.info("connected_slaves");
    if (f.replica() || replicas.isEmpty()) {
      return Optional.empty();
    }
    if ("0".equals(replicas)) {
      String what = "no replica is connected";
      return Optional.of(
          cluster
              ? Finding.warning(
                  "replication",
                  f.where(),
                  what
                      + ": if this primary dies, its slots are served by nobody, and what stands in"
                      + " them is unreadable",
                  "redis-cli --cluster add-node NEW_HOST:PORT " + f.address() + " --cluster-slave")
              : Finding.ok("replication", f.where(), what));
    }
    boolean guarded = !f.info("min_slaves_good_slaves").isEmpty();
    if (!guarded && (f.needs().counters() || f.needs().someWrites())) {
      return Optional.of(
          Finding.warning(
              "replication",
              f.where(),
              "a failover may lose writes that were acknowledged: version counters go back, and in"
                  + " relations marked 'writes: some' no sweep finds what is lost; the loss is"
                  + " smaller where a primary without replicas refuses writes",
              f.address().cli("CONFIG SET min-replicas-to-write 1")));
    }
    return Optional.of(
        Finding.ok(
            "replication",
            f.where(),
            replicas + " replica(s)" + (guarded ? ", min-replicas-to-write is set" : "")));
  }
}
