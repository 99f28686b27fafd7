package dev.restitch.cli;

import dev.restitch.config.ConfigView;
import dev.restitch.config.RestitchConfig;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code restitch config}. */
@Command(
    name = "config",
    description = "Shows and checks the configuration.",
    subcommands = {ConfigCommand.Show.class, ConfigCommand.Validate.class})
final class ConfigCommand {

  /** {@code restitch config show}. */
  @Command(name = "show", description = "Prints the effective configuration, secrets masked.")
  static final class Show implements Callable<Integer> {
    @Spec private CommandSpec spec;
    @Mixin private ConfigOption config;

    @Override
    public Integer call() {
      RestitchConfig loaded = config.load(spec);
      spec.commandLine().getOut().print(ConfigView.yaml(loaded));
      spec.commandLine().getOut().flush();
      return ExitCodes.OK;
    }
  }

  /** {@code restitch config validate}. */
  @Command(name = "validate", description = "Checks the configuration; prints every problem.")
  static final class Validate implements Callable<Integer> {
    @Spec private CommandSpec spec;
    @Mixin private ConfigOption config;

    @Override
    public Integer call() {
      RestitchConfig loaded = config.load(spec);
      spec.commandLine()
          .getOut()
          .printf(
              "valid: %d store(s), %d relation(s), %d source(s)%n",
              loaded.stores().size(), loaded.relations().size(), loaded.sources().size());
      spec.commandLine().getOut().flush();
      return ExitCodes.OK;
    }
  }
}
