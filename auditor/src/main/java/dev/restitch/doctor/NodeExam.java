package dev.restitch.doctor;

import dev.restitch.doctor.NodeFacts.ClockReading;
import dev.restitch.doctor.NodeFacts.Listening;
import dev.restitch.store.StoreNode;
import dev.restitch.watch.WatchNeeds;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Gathers the facts about one server, and judges them. Blocks. */
final class NodeExam {

  private static final Duration ANSWER_IN = Duration.ofSeconds(3);
  private static final Duration LISTEN = Duration.ofSeconds(1);
  private static final int CLOCK_READINGS = 3;
  private static final List<String> SETTINGS =
      List.of(WatchNeeds.SETTING, "client-output-buffer-limit", "save");

  private final StoreNeeds needs;
  private final ServerAddress address;
  private final boolean replica;
  private final StoreNode node;
  private final Treatment treatment;

  /**
   * @param replica true: it is expected to be a replica of a cluster
   * @param treatment null: change nothing
   */
  NodeExam(
      StoreNeeds needs,
      ServerAddress address,
      boolean replica,
      StoreNode node,
      Treatment treatment) {
    this.needs = needs;
    this.address = address;
    this.replica = replica;
    this.node = node;
    this.treatment = treatment;
  }

  List<Finding> examine(boolean cluster) throws Exception {
    NodeFacts facts = gather();
    List<Finding> findings = new ArrayList<>();
    findings.add(WatchRules.role(facts));
    if (!needs.sides().isEmpty()) {
      findings.add(notifications(facts));
      findings.add(WatchRules.subscription(facts));
    }
    findings.addAll(WatchRules.rights(facts));
    ServerRules.buffer(facts).ifPresent(findings::add);
    ServerRules.eviction(facts).ifPresent(findings::add);
    ServerRules.persistence(facts).ifPresent(findings::add);
    ServerRules.replication(facts, cluster).ifPresent(findings::add);
    findings.add(ClockRules.store(facts));
    return findings;
  }

  private NodeFacts gather() throws Exception {
    Settings settings = settings();
    Map<String, String> info = info();
    ClockReading clock = clock();
    NodeFacts.Rights rights =
        new RightsExam(commands(), needs.store().username()).examine(needs.rights());
    Listening listening = listen(settings.blocked() == null ? Duration.ZERO : LISTEN);
    return new NodeFacts(needs, address, replica, info, settings, listening, rights, clock);
  }

  private Finding notifications(NodeFacts facts) throws Exception {
    Finding found = WatchRules.notifications(facts);
    if (treatment == null
        || found.severity() == Severity.OK
        || facts.settings().blocked() != null) {
      return found;
    }
    String set = facts.settings().get(WatchNeeds.SETTING).orElse("");
    String missing = WatchNeeds.missing(WatchNeeds.flags(needs.sides()), set);
    String change = "CONFIG SET " + WatchNeeds.SETTING + " '" + set + missing + "'";
    try {
      Timed.get(ANSWER_IN, commands().configSet(WatchNeeds.SETTING, set + missing));
    } catch (RedisCommandExecutionException e) {
      treatment.failed(facts.where(), change, Timed.words(e));
      return found;
    }
    treatment.changed(facts.where(), change);
    NodeFacts mended =
        new NodeFacts(
            needs,
            address,
            replica,
            facts.info(),
            settings(),
            facts.listening(),
            facts.rights(),
            facts.clock());
    return WatchRules.notifications(mended).after(change);
  }

  private Settings settings() throws Exception {
    Map<String, String> values = new LinkedHashMap<>();
    try {
      for (String setting : SETTINGS) {
        values.putAll(Timed.get(ANSWER_IN, commands().configGet(setting)));
      }
      return new Settings(values, null);
    } catch (RedisCommandExecutionException e) {
      return new Settings(values, Timed.words(e));
    }
  }

  private Map<String, String> info() throws Exception {
    try {
      return InfoText.parse(Timed.get(ANSWER_IN, commands().info()));
    } catch (RedisCommandExecutionException notAllowed) {
      return Map.of();
    }
  }

  /** The reading that took the least time; null where the command is not allowed. */
  private ClockReading clock() throws Exception {
    ClockReading best = null;
    for (int i = 0; i < CLOCK_READINGS; i++) {
      long before = System.currentTimeMillis();
      List<byte[]> time;
      try {
        time = Timed.get(ANSWER_IN, commands().time());
      } catch (RedisCommandExecutionException notAllowed) {
        return null;
      }
      long after = System.currentTimeMillis();
      long server = number(time.get(0)) * 1000 + number(time.get(1)) / 1000;
      ClockReading reading =
          new ClockReading(server - (before + after) / 2, (after - before + 1) / 2);
      if (best == null || reading.uncertaintyMillis() < best.uncertaintyMillis()) {
        best = reading;
      }
    }
    return best;
  }

  private static long number(byte[] digits) {
    return Long.parseLong(new String(digits, StandardCharsets.US_ASCII));
  }

  private Listening listen(Duration patience) throws InterruptedException {
    if (needs.sides().isEmpty()) {
      return new Listening(List.of(), null, 0);
    }
    try (ListeningExam exam =
        ListeningExam.on(node, WatchNeeds.channels(node.database(), needs.sides()))) {
      return exam.heard(patience);
    }
  }

  private RedisClusterAsyncCommands<byte[], byte[]> commands() {
    return node.commands();
  }
}
