package dev.restitch.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code restitch repair}. */
@Command(
    name = "repair",
    description = "Shows what is to be repaired, holds it back, and lets it go on.",
    subcommands = {
      RepairCommand.ListAll.class,
      RepairCommand.Show.class,
      RepairCommand.Pause.class,
      RepairCommand.Resume.class,
      RepairCommand.DryRun.class,
      RepairCommand.Rate.class,
      RepairCommand.Concurrency.class,
      RepairCommand.Approve.class,
      RepairCommand.Discard.class
    })
final class RepairCommand {

  /** {@code restitch repair list}. */
  @Command(name = "list", description = "Lists open incidents that a policy may mend.")
  static final class ListAll implements Callable<Integer> {
    @Spec private CommandSpec spec;
    @Mixin private ManagementClient auditor;
    @Mixin private OutputOption output;

    @Option(names = "--relation", paramLabel = "RELATION", description = "Only of this relation.")
    private String relation;

    @Override
    public Integer call() throws IOException, InterruptedException {
      String query =
          relation == null
              ? ""
              : "?relation=" + URLEncoder.encode(relation, StandardCharsets.UTF_8);
      JsonNode repairs = auditor.get(spec, "/api/v1/repairs" + query).path("repairs");
      PrintWriter out = spec.commandLine().getOut();
      if (output.json()) {
        repairs.forEach(out::println);
      } else if (repairs.isEmpty()) {
        out.println("nothing is to be repaired");
      } else {
        Table table =
            new Table("INCIDENT", "INSTANCE", "VERDICT", "ACTION", "STATE", "ATTEMPTS", "HELD BY");
        for (JsonNode r : repairs) {
          table.row(
              r.path("id").asText(),
              r.path("instance").asText(),
              r.path("verdict").asText(),
              r.path("action").asText(),
              r.path("state").asText(),
              r.path("attempts").asInt(),
              r.path("hold").asText(""));
        }
        table.print(out);
      }
      out.flush();
      return repairs.isEmpty() ? ExitCodes.OK : ExitCodes.INCIDENTS;
    }
  }

  /** {@code restitch repair show}. */
  @Command(name = "show", description = "Shows what became of one incident's repair so far.")
  static final class Show implements Callable<Integer> {
    @Spec private CommandSpec spec;
    @Mixin private ManagementClient auditor;
    @Mixin private OutputOption output;

    @Parameters(paramLabel = "INCIDENT", description = "The incident's id.")
    private String id;

    @Override
    public Integer call() throws IOException, InterruptedException {
      JsonNode r =
          auditor.get(spec, "/api/v1/repairs/" + URLEncoder.encode(id, StandardCharsets.UTF_8));
      PrintWriter out = spec.commandLine().getOut();
      if (output.json()) {
        out.println(r);
      } else {
        out.printf(
            "incident %s of %s: %s, %s%n",
            r.path("id").asText(),
            r.path("instance").asText(),
            r.path("verdict").asText(),
            r.path("state").asText());
        out.printf(
            "action: %s, attempts %d, last outcome %s%n",
            r.path("action").asText(),
            r.path("attempts").asInt(),
            r.path("lastOutcome").asText("none"));
        if (r.has("hold")) {
          out.printf("held: %s%n", r.path("holdDetail").asText());
        }
        r.path("timeline")
            .forEach(
                t ->
                    out.printf(
                        "%s  %-10s %s%n",
                        Instant.ofEpochMilli(t.path("at").asLong()),
                        t.path("what").asText(),
                        t.path("detail").asText("")));
      }
      out.flush();
      return ExitCodes.OK;
    }
  }

  /** {@code restitch repair pause}. */
  @Command(name = "pause", description = "Lets no repair begin, until resumed.")
  static final class Pause implements Callable<Integer> {
    @Spec private CommandSpec spec;
    @Mixin private ChangeOptions change;
    @Mixin private PlaceOptions place;

    @Override
    public Integer call() throws IOException, InterruptedException {
      return change.change(spec, "pause", place.scope(), "on");
    }
  }

  /** {@code restitch repair resume}. */
  @Command(name = "resume", description = "Ends a pause of the same scope.")
  static final class Resume implements Callable<Integer> {
    @Spec private CommandSpec spec;
    @Mixin private ChangeOptions change;
    @Mixin private PlaceOptions place;

    @Override
    public Integer call() throws IOException, InterruptedException {
      return change.change(spec, "pause", place.scope(), "off");
    }
  }

  /** {@code restitch repair dry-run}. */
  @Command(name = "dry-run", description = "Has repairs told but not made: on or off.")
  static final class DryRun implements Callable<Integer> {
    @Spec private CommandSpec spec;
    @Mixin private ChangeOptions change;
    @Mixin private PlaceOptions place;

    @Parameters(paramLabel = "on|off", description = "on or off.")
    private String value;

    @Override
    public Integer call() throws IOException, InterruptedException {
      if (!List.of("on", "off").contains(value)) {
        throw new ParameterException(spec.commandLine(), "say on or off, not " + value);
      }
      return change.change(spec, "dry-run", place.scope(), value);
    }
  }

  /** {@code restitch repair rate}. */
  @Command(
      name = "rate",
      description = "Sets how many repairs a second all workers together may make.")
  static final class Rate implements Callable<Integer> {
    @Spec private CommandSpec spec;
    @Mixin private ChangeOptions change;
    @Mixin private PlaceOptions place;

    @Parameters(paramLabel = "N|off", description = "A number from 1, or off: as configured.")
    private String value;

    @Override
    public Integer call() throws IOException, InterruptedException {
      return change.change(spec, "rate", place.scope(), value);
    }
  }

  /** {@code restitch repair concurrency}. */
  @Command(
      name = "concurrency",
      description = "Sets how many repairs each worker may have in progress at a time.")
  static final class Concurrency implements Callable<Integer> {
    @Spec private CommandSpec spec;
    @Mixin private ChangeOptions change;
    @Mixin private PlaceOptions place;

    @Parameters(paramLabel = "N|off", description = "A number from 1, or off: as configured.")
    private String value;

    @Override
    public Integer call() throws IOException, InterruptedException {
      return change.change(spec, "concurrency", place.scope(), value);
    }
  }

  /** {@code restitch repair approve}. */
  @Command(name = "approve", description = "Allows the repair that is proposed for incidents.")
  static final class Approve implements Callable<Integer> {
    @Spec private CommandSpec spec;
    @Mixin private ChangeOptions change;

    @Parameters(paramLabel = "INCIDENT", arity = "1..*", description = "Ids of incidents.")
    private List<String> ids;

    @Override
    public Integer call() throws IOException, InterruptedException {
      for (String id : ids) {
        change.change(spec, "approve", "incident:" + id, "");
      }
      return ExitCodes.OK;
    }
  }

  /** {@code restitch repair discard}. */
  @Command(name = "discard", description = "Leaves incidents to people: they are not repaired.")
  static final class Discard implements Callable<Integer> {
    @Spec private CommandSpec spec;
    @Mixin private ChangeOptions change;

    @Option(names = "--undo", description = "Let them be repaired again.")
    private boolean undo;

    @Parameters(paramLabel = "INCIDENT", arity = "1..*", description = "Ids of incidents.")
    private List<String> ids;

    @Override
    public Integer call() throws IOException, InterruptedException {
      for (String id : ids) {
        change.change(spec, "discard", "incident:" + id, undo ? "off" : "on");
      }
      return ExitCodes.OK;
    }
  }
}
