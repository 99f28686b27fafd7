package dev.restitch.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code restitch incidents}. */
@Command(
    name = "incidents",
    description = "Lists incidents, shows one, and suppresses those that are known.",
    subcommands = {
      IncidentsCommand.ListAll.class,
      IncidentsCommand.Show.class,
      IncidentsCommand.Suppress.class
    })
final class IncidentsCommand {

  /** {@code restitch incidents list}. */
  @Command(name = "list", description = "Lists incidents, the newest first.")
  static final class ListAll implements Callable<Integer> {
    @Spec private CommandSpec spec;
    @Mixin private ManagementClient auditor;
    @Mixin private OutputOption output;

    @Option(names = "--state", paramLabel = "STATE", description = "OPEN, REPAIRING, ...")
    private String state;

    @Option(names = "--relation", paramLabel = "RELATION", description = "Only of this relation.")
    private String relation;

    @Option(
        names = "--limit",
        defaultValue = "100",
        description = "How many at most (default: ${DEFAULT-VALUE}).")
    private int limit;

    @Override
    public Integer call() throws IOException, InterruptedException {
      JsonNode page = auditor.get(spec, "/api/v1/incidents?" + query());
      PrintWriter out = spec.commandLine().getOut();
      if (output.json()) {
        page.path("incidents").forEach(out::println);
      } else if (page.path("incidents").isEmpty()) {
        out.println("no incidents");
      } else {
        Table table =
            new Table("ID", "INSTANCE", "VERDICT", "STATE", "BEHIND", "DECLARED", "ACTION");
        page.path("incidents").forEach(i -> row(table, i));
        table.print(out);
      }
      out.flush();
      return page.path("incidents").isEmpty() ? ExitCodes.OK : ExitCodes.INCIDENTS;
    }

    private String query() {
      List<String> parts = new ArrayList<>(List.of("limit=" + limit));
      if (state != null) {
        parts.add("state=" + URLEncoder.encode(state, StandardCharsets.UTF_8));
      }
      if (relation != null) {
        parts.add("relation=" + URLEncoder.encode(relation, StandardCharsets.UTF_8));
      }
      return String.join("&", parts);
    }

    private static void row(Table table, JsonNode i) {
      List<String> behind = new ArrayList<>();
      i.path("behind").forEach(k -> behind.add(k.asText()));
      table.row(
          i.path("id").asText(),
          i.path("instance").asText(),
          i.path("verdict").asText(),
          i.path("state").asText(),
          String.join(", ", behind),
          Instant.ofEpochMilli(i.path("declaredAt").asLong()),
          i.path("action").asText());
    }
  }

  /** {@code restitch incidents suppress}. */
  @Command(
      name = "suppress",
      description = "Takes an incident, or all that a rule names, for known: not shown as open.")
  static final class Suppress implements Callable<Integer> {
    @Spec private CommandSpec spec;
    @Mixin private ChangeOptions change;

    @ArgGroup(multiplicity = "1")
    private What what;

    @Option(names = "--undo", description = "Show and repair them again.")
    private boolean undo;

    /** One of the two. */
    static final class What {
      @Parameters(paramLabel = "ID", description = "The incident's id.")
      private String id;

      @Option(
          names = "--rule",
          paramLabel = "RULE",
          description =
              "An instance or START*, and a verdict behind a space: 'user/7* SIDE_EXPIRED'.")
      private String rule;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
      String scope = what.rule != null ? "rule:" + what.rule : "incident:" + what.id;
      return change.change(spec, "suppress", scope, undo ? "off" : "on");
    }
  }

  /** {@code restitch incidents show}. */
  @Command(name = "show", description = "Shows one incident with its timeline.")
  static final class Show implements Callable<Integer> {
    @Spec private CommandSpec spec;
    @Mixin private ManagementClient auditor;
    @Mixin private OutputOption output;

    @Parameters(paramLabel = "ID", description = "The incident's id.")
    private String id;

    @Override
    public Integer call() throws IOException, InterruptedException {
      JsonNode i =
          auditor.get(spec, "/api/v1/incidents/" + URLEncoder.encode(id, StandardCharsets.UTF_8));
      PrintWriter out = spec.commandLine().getOut();
      if (output.json()) {
        out.println(i);
      } else {
        out.printf(
            "incident %s of %s: %s, %s%n",
            i.path("id").asText(),
            i.path("instance").asText(),
            i.path("verdict").asText(),
            i.path("state").asText());
        out.printf("rule: %s%n", i.path("rule").asText());
        i.path("behind").forEach(k -> out.printf("behind: %s%n", k.asText()));
        i.path("evidence")
            .forEach(
                r ->
                    out.printf(
                        "seen: %s %s %s%n",
                        r.path("key").asText(),
                        r.path("state").asText(),
                        r.path("token").asText("")));
        i.path("timeline")
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
}
