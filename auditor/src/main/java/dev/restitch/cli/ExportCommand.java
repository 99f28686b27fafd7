package dev.restitch.cli;

import dev.restitch.config.RestitchConfig;
import dev.restitch.recorded.Recording;
import dev.restitch.recorded.Window;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code restitch export}: what the topics recorded, as a history file. */
@Command(
    name = "export",
    description = {
      "Writes what the topics have recorded in a window of time as a history file, which 'replay"
          + " --history' judges again.",
      "Takes part in no group, commits nothing, and exports no payload."
    })
final class ExportCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @Mixin private ConfigOption config;
  @Mixin private WindowOptions options;

  @Option(
      names = "--file",
      paramLabel = "FILE",
      description = "Where to write it (default: the standard output).")
  private Path file;

  @Override
  public Integer call() throws IOException, InterruptedException {
    RestitchConfig loaded = config.load(spec);
    Window window = options.window(spec, loaded);
    PrintWriter out = spec.commandLine().getOut();
    Recording recording =
        file == null ? Recording.write(loaded, window, out) : Recording.write(loaded, window, file);
    return summary(spec.commandLine().getErr(), recording);
  }

  /** Says what was read, and what was not to be had; returns the exit code. */
  static int summary(PrintWriter err, Recording recording) {
    err.printf("records read %d, lines written %d%n", recording.records(), recording.lines());
    recording.lost().forEach(line -> err.println("incomplete: " + line));
    if (recording.unreadable() > 0) {
      err.println("incomplete: records that cannot be read: " + recording.unreadable());
    }
    err.flush();
    boolean complete = recording.lost().isEmpty() && recording.unreadable() == 0;
    return complete ? ExitCodes.OK : ExitCodes.INCOMPLETE;
  }
}
