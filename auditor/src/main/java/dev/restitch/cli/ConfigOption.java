package dev.restitch.cli;

import dev.restitch.config.ConfigException;
import dev.restitch.config.ConfigLoader;
import dev.restitch.config.RestitchConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The option {@code --config}, for every command that needs the configuration. */
final class ConfigOption {

  @Option(
      names = "--config",
      paramLabel = "FILE",
      defaultValue = "restitch.yaml",
      description = "The configuration file (default: ${DEFAULT-VALUE} in this folder).")
  private Path file;

  /**
   * Loads the configuration.
   *
   * @throws ParameterException that names every problem, for exit code 2
   */
  RestitchConfig load(CommandSpec spec) {
    return load(spec, file);
  }

  static RestitchConfig load(CommandSpec spec, Path file) {
    if (!Files.isReadable(file)) {
      throw new ParameterException(
          spec.commandLine(),
          "cannot read the configuration file "
              + file
              + "; name it by --config FILE; the README shows one");
    }
    try {
      return ConfigLoader.load(file, System.getenv());
    } catch (ConfigException e) {
      String problems =
          e.problems().stream()
              .map(p -> "  " + p.path() + ": " + p.message())
              .collect(Collectors.joining(System.lineSeparator()));
      throw new ParameterException(
          spec.commandLine(),
          file
              + " has "
              + e.problems().size()
              + " problem(s):"
              + System.lineSeparator()
              + problems);
    }
  }
}
