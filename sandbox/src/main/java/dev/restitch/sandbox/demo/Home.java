package dev.restitch.sandbox.demo;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where the project's own jars are: {@code restitch.home}, or above the place of this very code.
 */
public final class Home {

  private static final String PROPERTY = "restitch.home";

  private final Path dir;

  private Home(Path dir) {
    this.dir = dir;
  }

  /**
   * Looks for it.
   *
   * @throws IOException that says what to do
   */
  public static Home find() throws IOException {
    String named = System.getProperty(PROPERTY);
    if (named != null) {
      return new Home(Path.of(named));
    }
    try {
      Path code = Path.of(Home.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      for (Path dir = code; dir != null; dir = dir.getParent()) {
        if (Files.isDirectory(dir.resolve("auditor"))
            && Files.isDirectory(dir.resolve("repair-worker"))) {
          return new Home(dir);
        }
      }
    } catch (URISyntaxException e) {
      throw new IOException("the place of this program is not a path", e);
    }
    throw new IOException("the project's folder was not found; name it with -D" + PROPERTY);
  }

  /**
   * This JVM's class path, with the auditor's jar where the class is not on it.
   *
   * @throws IOException that says what to do
   */
  public static String classPathWith(String mainClass) throws IOException {
    String own = System.getProperty("java.class.path");
    String file = mainClass.replace('.', '/') + ".class";
    if (Home.class.getClassLoader().getResource(file) != null) {
      return own;
    }
    return find().jar("auditor") + File.pathSeparator + own;
  }

  /**
   * The runnable jar of a module, the newest if there are several.
   *
   * @throws IOException that says what to do
   */
  public Path jar(String module) throws IOException {
    Path target = dir.resolve(module).resolve("target");
    Optional<Path> newest = Optional.empty();
    if (Files.isDirectory(target)) {
      String pattern = "restitch-" + module + "-*-all.jar";
      try (DirectoryStream<Path> jars = Files.newDirectoryStream(target, pattern)) {
        for (Path jar : jars) {
          if (newest.isEmpty()
              || Files.getLastModifiedTime(jar).compareTo(Files.getLastModifiedTime(newest.get()))
                  > 0) {
            newest = Optional.of(jar);
          }
        }
      }
    }
    return newest.orElseThrow(
        () ->
            new IOException(
                "there is no runnable jar in " + target + "; build it with mvn package"));
  }
}
