package dev.restitch.cli;

import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ScopeType;

/** The command line of Restitch. */
@Command(
    name = "restitch",
    description = "Finds and mends torn writes across Valkey and Redis shards.",
    mixinStandardHelpOptions = true,
    scope = ScopeType.INHERIT,
    versionProvider = Version.class,
    subcommands = {
      AuditorCommand.class,
      StatusCommand.class,
      IncidentsCommand.class,
      RepairCommand.class,
      BrakeCommand.class,
      ReplayCommand.class,
      ExportCommand.class,
      CheckCommand.class,
      SlotsCommand.class,
      SweepCommand.class,
      DoctorCommand.class,
      ConfigCommand.class,
      AutoComplete.GenerateCompletion.class,
      CommandLine.HelpCommand.class
    })
public final class RestitchMain {

  /** Runs a command and exits with its code. */
  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  /** The command line, ready to execute. */
  public static CommandLine commandLine() {
    return new CommandLine(new RestitchMain())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler(
            (e, line, result) -> {
              line.getErr().println("error: " + e.getMessage());
              return ExitCodes.ERROR;
            });
  }
}
