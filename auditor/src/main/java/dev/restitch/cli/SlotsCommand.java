package dev.restitch.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.restitch.config.Relations;
import dev.restitch.config.Relations.Side;
import dev.restitch.config.RestitchConfig;
import dev.restitch.model.Bytes;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code restitch slots}: could a hash tag make these keys atomic. */
@Command(
    name = "slots",
    description = {
      "Prints the cluster slot of keys, which sides of a relation share one, and which relation a"
          + " hash tag could make atomic.",
      "Computes only: asks no server."
    })
final class SlotsCommand implements Callable<Integer> {

  private static final ObjectMapper JSON = new ObjectMapper();

  @Spec private CommandSpec spec;
  @Mixin private ConfigOption config;
  @Mixin private OutputOption output;

  @Parameters(paramLabel = "KEY", arity = "0..*", description = "Keys, of relations or not.")
  private List<String> keys = new ArrayList<>();

  @Option(
      names = "--relation",
      paramLabel = "R",
      description = "This relation (default: those of the keys).")
  private String relation;

  @Override
  public Integer call() {
    if (keys.isEmpty() && relation == null) {
      throw new ParameterException(
          spec.commandLine(), "name keys, or a relation by --relation; both are fine");
    }
    RestitchConfig loaded = config.load(spec);
    if (relation != null && !loaded.relations().containsKey(relation)) {
      throw new ParameterException(
          spec.commandLine(),
          "there is no relation '"
              + relation
              + "'; known are "
              + new TreeSet<>(loaded.relations().keySet()));
    }
    PrintWriter out = spec.commandLine().getOut();
    Set<String> asked = new LinkedHashSet<>();
    if (relation != null) {
      asked.add(relation);
    }
    keys(out, loaded.resolver(), asked);
    for (String name : asked) {
      SlotAdvice advice = new SlotAdvice(loaded.relations().get(name));
      if (output.json()) {
        ObjectNode line = JSON.createObjectNode().put("relation", name);
        line.put("atomic", advice.atomic());
        advice.sentences().forEach(line.putArray("advice")::add);
        out.println(line);
      } else {
        out.println("relation " + name + ":");
        advice.sentences().forEach(sentence -> out.println("  " + sentence));
      }
    }
    if (!output.json()) {
      out.println();
      approaches(out);
    }
    out.flush();
    return ExitCodes.OK;
  }

  private void keys(PrintWriter out, Relations relations, Set<String> asked) {
    Table table = new Table("KEY", "SLOT", "TAG", "SIDE");
    for (String typed : keys) {
      Bytes key = KeyNames.bytes(typed);
      List<Side> found = relations.resolveInAnyStore(key);
      found.forEach(side -> asked.add(side.relation().name()));
      List<String> sides =
          found.stream()
              .map(s -> s.relation().name() + "." + s.relation().sides().get(s.index()).name())
              .toList();
      String tag = SlotAdvice.tag(key).map(Bytes::toString).orElse("");
      if (output.json()) {
        ObjectNode line = JSON.createObjectNode();
        ReadingText.bytes(line, "key", key);
        line.put("slot", SlotAdvice.slot(key)).put("tag", tag);
        sides.forEach(line.putArray("sides")::add);
        out.println(line);
      } else {
        table.row(key, SlotAdvice.slot(key), tag, String.join(", ", sides));
      }
    }
    if (!keys.isEmpty() && !output.json()) {
      table.print(out);
    }
  }

  private static void approaches(PrintWriter out) {
    Table table = new Table("APPROACH", "CAN IT TEAR", "IS IT SEEN", "COSTS");
    table.row("hash tag", "no, by MULTI or a script", "-", "one shard an instance; renamed keys");
    table.row("token stamp", "yes", "yes, without an order", "some bytes a value");
    table.row("version stamp", "yes", "yes, ordered: repair can be automatic", "an INCR a write");
    table.row("commit marker", "yes, readers can tell", "yes", "a key and a write more; its TTL");
    table.row(
        "coordinator", "no, while it and all shards answer", "-", "locks, two rounds a write");
    table.print(out);
    out.println(
        "How often yours tear is not known here: stamp, run the auditor, and read"
            + " /api/v1/consistency (restitch_consistency_*), with its sample size.");
  }
}
