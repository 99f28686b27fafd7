package dev.restitch.sandbox.server;

import java.nio.file.Path;

/** Where this JVM's own {@code java} is. */
public final class JavaCommand {

  private JavaCommand() {}

  /** Path of the executable. */
  public static String java() {
    return ProcessHandle.current()
        .info()
        .command()
        .orElseGet(() -> Path.of(System.getProperty("java.home"), "bin", "java").toString());
  }
}
