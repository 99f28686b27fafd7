package dev.restitch.sandbox.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One temporary folder, deleted with everything in it on {@link #close}. Thread-safe; closing twice
 * does nothing.
 */
public final class Scratch implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Scratch.class);

  /** A server that is just ending may still write a file between two passes. */
  private static final int PASSES = 5;

  private final Path dir;
  private final AtomicInteger names = new AtomicInteger();

  private Scratch(Path dir) {
    this.dir = dir;
  }

  /**
   * Creates the folder under {@code java.io.tmpdir}.
   *
   * @throws UncheckedIOException if it cannot be made
   */
  public static Scratch create(String prefix) {
    try {
      return new Scratch(Files.createTempDirectory(prefix));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot create a temporary folder", e);
    }
  }

  /** The folder. */
  public Path dir() {
    return dir;
  }

  /** Makes a folder of its own for one server. */
  public Path newFolder(String name) {
    try {
      return Files.createDirectory(dir.resolve(name + "-" + names.incrementAndGet()));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot create a folder in " + dir, e);
    }
  }

  @Override
  public void close() {
    for (int pass = 1; Files.exists(dir); pass++) {
      try {
        delete(dir);
      } catch (IOException e) {
        if (pass >= PASSES) {
          log.atWarn()
              .addKeyValue("folder", dir)
              .addKeyValue("cause", e.toString())
              .log("temporary folder could not be deleted");
          return;
        }
      }
    }
  }

  /** Deletes a folder and all in it; what is already gone is no error. */
  static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attrs)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (e instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw e;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path dir, IOException e) throws IOException {
            if (e != null) {
              throw e;
            }
            Files.deleteIfExists(dir);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
