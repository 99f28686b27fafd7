package dev.restitch.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code restitch status}: one sentence, and the nodes behind it. */
@Command(
    name = "status",
    description = "Says whether the data is Consistent, Diverging, or the auditor Blind.")
final class StatusCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @Mixin private ManagementClient auditor;
  @Mixin private OutputOption output;

  @Override
  public Integer call() throws IOException, InterruptedException {
    JsonNode status = auditor.get(spec, "/api/v1/status");
    PrintWriter out = spec.commandLine().getOut();
    if (output.json()) {
      out.println(status);
    } else {
      out.printf(
          "%s: %d open incident(s), %d of %d node(s) subscribed, %d gap(s) not swept, judge %s%n",
          status.path("state").asText(),
          status.path("openIncidents").asLong(),
          status.path("subscribed").asLong(),
          status.path("nodes").asLong(),
          status.path("gapsOpen").asLong(),
          status.path("judge").asText());
      if (status.hasNonNull("why")) {
        out.println("  " + status.path("why").asText());
      }
    }
    out.flush();
    return switch (status.path("state").asText()) {
      case "Consistent" -> ExitCodes.OK;
      case "Diverging" -> ExitCodes.INCIDENTS;
      default -> ExitCodes.INCOMPLETE;
    };
  }
}
