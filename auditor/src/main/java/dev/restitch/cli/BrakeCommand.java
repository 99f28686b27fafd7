package dev.restitch.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code restitch brake}. */
@Command(
    name = "brake",
    description = "Shows the brake of every store, and resets it.",
    subcommands = {BrakeCommand.Status.class, BrakeCommand.Reset.class})
final class BrakeCommand {

  /** {@code restitch brake status}. */
  @Command(name = "status", description = "Says for each store if repairs are held, and why.")
  static final class Status implements Callable<Integer> {
    @Spec private CommandSpec spec;
    @Mixin private ManagementClient auditor;
    @Mixin private OutputOption output;

    @Override
    public Integer call() throws IOException, InterruptedException {
      JsonNode stores = auditor.get(spec, "/api/v1/brake").path("stores");
      PrintWriter out = spec.commandLine().getOut();
      boolean held = false;
      Table table = new Table("STORE", "BRAKE", "LAST MINUTE", "WHY");
      for (JsonNode s : stores) {
        boolean engaged = s.path("engaged").asBoolean();
        boolean blind = !s.path("blind").isEmpty();
        held |= engaged || blind;
        if (output.json()) {
          out.println(s);
        } else {
          table.row(
              s.path("store").asText(),
              engaged ? "engaged" : blind ? "blind" : "off",
              minute(s),
              why(s));
        }
      }
      if (!output.json()) {
        table.print(out);
      }
      out.flush();
      return held ? ExitCodes.INCIDENTS : ExitCodes.OK;
    }

    private static String minute(JsonNode store) {
      List<String> shares = new ArrayList<>();
      store
          .path("lastMinute")
          .forEach(
              m ->
                  shares.add(
                      m.path("relation").asText()
                          + " "
                          + m.path("torn").asLong()
                          + "/"
                          + m.path("judged").asLong()));
      return String.join(", ", shares);
    }

    private static String why(JsonNode store) {
      List<String> reasons = new ArrayList<>();
      if (store.path("engaged").asBoolean()) {
        reasons.add(store.path("cause").asText());
      }
      store
          .path("blind")
          .forEach(b -> reasons.add(b.path("node").asText() + ": " + b.path("why").asText()));
      return String.join("; ", reasons);
    }
  }

  /** {@code restitch brake reset}. */
  @Command(name = "reset", description = "Releases the brake of a store; its minute begins anew.")
  static final class Reset implements Callable<Integer> {
    @Spec private CommandSpec spec;
    @Mixin private ChangeOptions change;

    @Parameters(paramLabel = "STORE", description = "The store's name.")
    private String store;

    @Override
    public Integer call() throws IOException, InterruptedException {
      return change.change(spec, "brake", "store:" + store, "off");
    }
  }
}
