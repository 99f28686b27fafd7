package dev.restitch.sandbox.bench.drain;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.restitch.sandbox.demo.Home;
import dev.restitch.sandbox.server.JavaCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The bench's hand on a contender's process. Not thread-safe. */
final class DrainProcess implements AutoCloseable {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Logger LOG = LoggerFactory.getLogger(DrainProcess.class);
  private static final int GRACE_SECONDS = 5;
  private static final int TAIL = 2_000;

  private final Contender contender;
  private final Path errors;
  private final Process process;
  private final Writer commands;
  private final BufferedReader answers;

  private DrainProcess(Contender contender, Path errors, Process process) {
    this.contender = contender;
    this.errors = errors;
    this.process = process;
    this.commands = process.outputWriter(StandardCharsets.UTF_8);
    this.answers =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /**
   * Starts it; it waits for commands.
   *
   * @param heap such as {@code 2g}
   */
  static DrainProcess start(
      Contender contender, Path config, Path folder, String heap, List<String> options)
      throws IOException {
    Path errors = folder.resolve(contender.label() + ".log");
    List<String> command = new ArrayList<>();
    command.add(JavaCommand.java());
    command.addAll(List.of("-Xmx" + heap, "-XX:-UsePerfData", "-Djava.io.tmpdir=" + folder));
    command.addAll(options);
    command.addAll(List.of("-cp", Home.classPathWith("dev.restitch.cli.RestitchMain")));
    command.addAll(List.of(DrainMain.class.getName(), contender.label(), config.toString()));
    Process process =
        new ProcessBuilder(command)
            .redirectError(errors.toFile())
            .directory(folder.toFile())
            .start();
    return new DrainProcess(contender, errors, process);
  }

  Contender contender() {
    return contender;
  }

  /** Makes an application anew; returns its name, empty if it has none. */
  String begin(String application) throws IOException {
    return ask("start " + application).substring("started".length()).trim();
  }

  /** Drains until so many records were seen since it was begun. */
  Measured drain(long records, boolean live) throws IOException {
    return JSON.readValue(ask("drain " + records + (live ? " live" : "")), Measured.class);
  }

  void end() throws IOException {
    ask("stop");
  }

  private String ask(String command) throws IOException {
    String answer;
    try {
      commands.write(command + "\n");
      commands.flush();
      do {
        answer = answers.readLine(); // what the JVM itself says is no answer
      } while (answer != null && !answer.startsWith(DrainMain.ANSWER));
    } catch (IOException e) {
      throw new IOException(contender.label() + " ended: " + tail(), e);
    }
    if (answer == null) {
      throw new IOException(contender.label() + " ended: " + tail());
    }
    return answer.substring(DrainMain.ANSWER.length());
  }

  private String tail() throws IOException {
    String text = Files.readString(errors, StandardCharsets.UTF_8);
    return text.substring(Math.max(0, text.length() - TAIL));
  }

  /** SIGKILL. */
  void kill() {
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    try {
      commands.close(); // it ends with its input
      process.waitFor(GRACE_SECONDS, TimeUnit.SECONDS);
    } catch (IOException e) {
      LOG.atDebug().addKeyValue("contender", contender.label()).log("it has ended before");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    kill();
  }
}
