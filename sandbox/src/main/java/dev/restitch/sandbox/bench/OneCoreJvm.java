package dev.restitch.sandbox.bench;

import dev.restitch.sandbox.demo.Home;
import dev.restitch.sandbox.server.JavaCommand;
import dev.restitch.sandbox.server.Lifetime;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Runs a main class in a JVM that may use one core, with this JVM's class path, and measures it.
 */
final class OneCoreJvm {

  /**
   * What a run took.
   *
   * @param peakBytes the greatest resident size seen; 0 where the system does not tell
   */
  record Cost(double seconds, double cpuSeconds, long peakBytes) {}

  private static final Duration LOOK = Duration.ofMillis(50);
  private static final int INCIDENTS_FOUND = 3;

  private OneCoreJvm() {}

  /**
   * Runs it to its end, or to the lifetime's; its output goes to {@code out}, its errors to a file
   * beside it.
   *
   * @throws IOException if it fails; with the end of its errors
   */
  static Cost run(Lifetime lifetime, String mainClass, Path out, List<String> arguments)
      throws IOException, InterruptedException {
    Path errors = out.resolveSibling(out.getFileName() + ".err");
    List<String> command = new ArrayList<>();
    command.add(JavaCommand.java());
    command.addAll(List.of("-Xmx1g", "-XX:+UseSerialGC", "-XX:ActiveProcessorCount=1"));
    command.addAll(List.of("-cp", Home.classPathWith(mainClass), mainClass));
    command.addAll(arguments);
    long begun = System.nanoTime();
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(errors.toFile())
            .start();
    lifetime.own(process::destroyForcibly);
    try {
      long peak = 0;
      Duration cpu = Duration.ZERO;
      while (!process.waitFor(LOOK.toMillis(), TimeUnit.MILLISECONDS)) {
        peak = Math.max(peak, residentBytes(process.pid()));
        cpu = process.info().totalCpuDuration().orElse(cpu);
      }
      double seconds = (System.nanoTime() - begun) / 1e9;
      int code = process.exitValue();
      if (code != 0 && code != INCIDENTS_FOUND) {
        String text = Files.readString(errors, StandardCharsets.UTF_8);
        throw new IOException(
            mainClass
                + " ended with "
                + code
                + ": "
                + text.substring(Math.max(0, text.length() - 1_000)));
      }
      return new Cost(seconds, cpu.toMillis() / 1e3, peak);
    } finally {
      process.destroyForcibly();
    }
  }

  private static long residentBytes(long pid) throws IOException {
    Path status = Path.of("/proc", Long.toString(pid), "status");
    if (!Files.isReadable(status)) {
      return 0;
    }
    try {
      for (String line : Files.readAllLines(status)) {
        if (line.startsWith("VmHWM:")) {
          return Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024;
        }
      }
    } catch (IOException e) {
      return 0; // it has just ended
    }
    return 0;
  }
}
