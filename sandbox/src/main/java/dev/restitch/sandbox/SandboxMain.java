package dev.restitch.sandbox;

import dev.restitch.sandbox.bench.BenchCommand;
import dev.restitch.sandbox.demo.DemoCommand;
import dev.restitch.sandbox.eyes.ChaosCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command line of what runs on servers that it brings along. */
@Command(
    name = "restitch",
    description = "Shows and measures Restitch on servers that it brings along.",
    mixinStandardHelpOptions = true,
    subcommands = {
      DemoCommand.class,
      BenchCommand.class,
      ChaosCommand.class,
      CommandLine.HelpCommand.class
    })
public final class SandboxMain {

  private static final int ERROR = 1;

  private SandboxMain() {}

  /** Runs a command and exits with its code. */
  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  /** The command line, ready to execute. */
  public static CommandLine commandLine() {
    return new CommandLine(new SandboxMain())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler(
            (e, line, result) -> {
              line.getErr().println("error: " + e.getMessage());
              return ERROR;
            });
  }
}
