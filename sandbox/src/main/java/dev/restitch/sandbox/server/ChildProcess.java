package dev.restitch.sandbox.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A process of ours with its output in a file. It is ended by its handle, never by name.
 * Thread-safe.
 */
public final class ChildProcess implements AutoCloseable {

  private static final Duration GRACE = Duration.ofSeconds(6);

  private final String name;
  private final Path output;
  private final Process process;

  private ChildProcess(String name, Path output, Process process) {
    this.name = name;
    this.output = output;
    this.process = process;
  }

  /**
   * Starts a command. Variables that would override a configuration are not handed down.
   *
   * @param output file that stdout and stderr are appended to
   * @param environment added to this process's own
   */
  public static ChildProcess start(
      String name, List<String> command, Map<String, String> environment, Path folder, Path output)
      throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
            .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()));
    builder.environment().keySet().removeIf(variable -> variable.startsWith("RESTITCH_"));
    builder.environment().putAll(environment);
    return new ChildProcess(name, output, builder.start());
  }

  public String name() {
    return name;
  }

  public long pid() {
    return process.pid();
  }

  public boolean alive() {
    return process.isAlive();
  }

  /** The exit code; -1 while it runs. */
  public int exitCode() {
    return process.isAlive() ? -1 : process.exitValue();
  }

  /** Its file of stdout and stderr. */
  public Path output() {
    return output;
  }

  /** The last lines of its output; empty if there is none to read. */
  public String tail(int lines) {
    try {
      List<String> all =
          new String(Files.readAllBytes(output), StandardCharsets.UTF_8).lines().toList();
      return String.join("\n", all.subList(Math.max(0, all.size() - lines), all.size()));
    } catch (IOException e) {
      return "(no output: " + e.getMessage() + ")";
    }
  }

  /** SIGKILL; returns when the process is gone. */
  public void kill() {
    process.destroyForcibly();
    waitFor(GRACE);
  }

  /** SIGTERM, and SIGKILL where that does not help in time; returns when the process is gone. */
  @Override
  public void close() {
    process.destroy();
    if (!waitFor(GRACE)) {
      kill();
    }
  }

  private boolean waitFor(Duration atMost) {
    try {
      return process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      return true;
    }
  }
}
