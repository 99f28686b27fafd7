package dev.restitch.doctor;

import java.util.ArrayList;
import java.util.List;

/** Whether a cluster serves every slot. Pure. */
final class ClusterRules {

  private static final String CHECK = "cluster";
  private static final String SLOTS = "16384";

  private ClusterRules() {}

  static List<Finding> judge(String store, ServerAddress seed, ClusterFacts facts) {
    List<Finding> findings = new ArrayList<>();
    String assigned = facts.info().getOrDefault("cluster_slots_assigned", "0");
    String ok = facts.info().getOrDefault("cluster_slots_ok", "0");
    String state = facts.info().getOrDefault("cluster_state", "unknown");
    long primaries = facts.nodes().stream().filter(n -> n.primary() && n.slots()).count();
    if (!SLOTS.equals(assigned)) {
      findings.add(
          Finding.error(
              CHECK,
              store,
              assigned + " of " + SLOTS + " slots are assigned: keys in the others cannot be read",
              "redis-cli --cluster fix " + seed));
    } else if (!"ok".equals(state) || !SLOTS.equals(ok)) {
      findings.add(
          Finding.error(
              CHECK,
              store,
              "the cluster's state is " + state + ", " + ok + " of " + SLOTS + " slots are served",
              "redis-cli --cluster check " + seed));
    } else {
      findings.add(
          Finding.ok(
              CHECK, store, "all " + SLOTS + " slots are served by " + primaries + " primaries"));
    }
    for (ClusterFacts.Node node : facts.nodes()) {
      if (node.failed()) {
        findings.add(
            Finding.warning(
                CHECK,
                store + " " + node.address(),
                (node.primary() ? "a primary" : "a replica")
                    + " that the cluster holds to be failed",
                "redis-cli --cluster del-node "
                    + seed
                    + " "
                    + node.id()
                    + "   # or start it again"));
      }
    }
    return findings;
  }
}
