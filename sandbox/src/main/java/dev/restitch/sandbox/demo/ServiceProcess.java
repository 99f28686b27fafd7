package dev.restitch.sandbox.demo;

import dev.restitch.sandbox.server.ChildProcess;
import dev.restitch.sandbox.server.JavaCommand;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** One of Restitch's services as a process of its own, which can be killed and started again. */
final class ServiceProcess implements AutoCloseable {

  private static final long PAUSE_MILLIS = 100;
  private static final int TAIL_LINES = 25;

  private final String name;
  private final List<String> command;
  private final Path folder;
  private final Path output;
  private final Callable<Boolean> readiness;
  private ChildProcess process;
  private boolean closed;

  /**
   * @param jar what to run
   * @param arguments of the program
   * @param folder where it runs
   * @param output file of its output
   * @param readiness says if it is ready; asked again and again
   */
  ServiceProcess(
      String name,
      Path jar,
      List<String> arguments,
      Path folder,
      Path output,
      Callable<Boolean> readiness) {
    this.name = name;
    this.command = new ArrayList<>(List.of(JavaCommand.java(), "-Xms64m", "-Xmx384m"));
    // short runs on few cores: less compiling is worth more than faster code
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto"));
    // native libraries are unpacked where they go with the folder, even after a SIGKILL
    command.addAll(List.of("-Djava.io.tmpdir=" + folder, "-XX:-UsePerfData"));
    command.addAll(List.of("-jar", jar.toString()));
    command.addAll(arguments);
    this.folder = folder;
    this.output = output;
    this.readiness = readiness;
  }

  String name() {
    return name;
  }

  synchronized void start() throws IOException {
    if (closed) {
      throw new IOException(name + " is not started any more");
    }
    process = ChildProcess.start(name, command, Map.of(), folder, output);
  }

  /**
   * Waits until it is ready.
   *
   * @throws IOException with the end of its output, if it died or is not ready in time
   */
  void awaitReady(Duration atMost) throws Exception {
    long deadline = System.nanoTime() + atMost.toNanos();
    while (!readiness.call()) {
      if (!alive()) {
        throw new IOException(name + " ended with exit code " + exitCode() + ":\n" + tail());
      }
      if (System.nanoTime() > deadline) {
        throw new IOException(
            name + " was not ready within " + atMost.toSeconds() + " s:\n" + tail());
      }
      Thread.sleep(PAUSE_MILLIS);
    }
  }

  synchronized boolean alive() {
    return process != null && process.alive();
  }

  synchronized long pid() {
    return process.pid();
  }

  private synchronized int exitCode() {
    return process.exitCode();
  }

  /** The end of its output. */
  synchronized String tail() {
    return process.tail(TAIL_LINES);
  }

  /** SIGKILL. */
  synchronized void kill() {
    process.kill();
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (process != null) {
      process.close();
    }
  }
}
