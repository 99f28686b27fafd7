package dev.restitch.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** What every command that changes something takes: owner, cause, and the word to do it. */
final class ChangeOptions {

  @Mixin private ManagementClient auditor;
  @Mixin private OutputOption output;

  @Option(
      names = "--owner",
      paramLabel = "NAME",
      defaultValue = "${sys:user.name}",
      description = "On whose behalf (default: ${DEFAULT-VALUE}).")
  private String owner;

  @Option(
      names = "--cause",
      paramLabel = "TEXT",
      required = true,
      description = "Why; it is logged, and shown to others.")
  private String cause;

  @Option(names = "--apply", description = "Do it. Without: only say what would be done.")
  private boolean apply;

  /**
   * Asks for a change and prints what it changes.
   *
   * @param scope empty: everywhere
   * @return the exit code
   */
  int change(CommandSpec spec, String setting, String scope, String value)
      throws IOException, InterruptedException {
    ObjectNode request = JsonNodeFactory.instance.objectNode();
    request.put("setting", setting).put("scope", scope).put("value", value);
    request.put("owner", owner).put("cause", cause).put("apply", apply);
    JsonNode answer = auditor.post(spec, "/api/v1/controls", request);
    PrintWriter out = spec.commandLine().getOut();
    if (output.json()) {
      out.println(answer);
    } else {
      JsonNode after = answer.path("after");
      String where = after.path("scope").asText();
      out.printf(
          "%s %s: %s -> %s (%d open incident(s))%n",
          after.path("setting").asText(),
          where.isEmpty() ? "everywhere" : "for " + where,
          answer.path("before").path("value").asText("not set"),
          after.path("value").asText(),
          answer.path("openIncidents").asLong());
      if (!apply) {
        out.println("nothing was changed; add --apply to do it");
      }
    }
    out.flush();
    return ExitCodes.OK;
  }
}
