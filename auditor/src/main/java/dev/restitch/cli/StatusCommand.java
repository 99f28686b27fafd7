package dev.restitch.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.restitch.config.Durations;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code restitch status}: one sentence, and the nodes behind it. */
@Command(
    name = "status",
    description = "Says whether the data is Consistent, Diverging, or the auditor Blind.")
final class StatusCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @Mixin private ManagementClient auditor;
  @Mixin private OutputOption output;

  @Option(names = "--watch", description = "Ask again and again, until it is interrupted.")
  private boolean watch;

  @Option(
      names = "--every",
      paramLabel = "TIME",
      defaultValue = "2s",
      description = "How long to wait between two answers of --watch (default: ${DEFAULT-VALUE}).")
  private String every;

  @Override
  public Integer call() throws IOException, InterruptedException {
    Duration pause = pause();
    int code = show();
    while (watch) {
      TimeUnit.MILLISECONDS.sleep(pause.toMillis());
      code = show();
    }
    return code;
  }

  private Duration pause() {
    try {
      return Durations.parse(every);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--every: " + e.getMessage(), e);
    }
  }

  private int show() throws IOException, InterruptedException {
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
