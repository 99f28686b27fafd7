package dev.restitch.worker.truth;

import dev.restitch.config.PayloadsConfig;
import dev.restitch.model.Bytes;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Reads payloads from files, on a thread of its own. A file counts by where it really lies: a link
 * out of the listed folders leads nowhere. Thread-safe.
 */
final class FilePayloads implements AutoCloseable {

  private static final int WAITING = 1000;

  private final PayloadsConfig config;
  private final ThreadPoolExecutor thread =
      new ThreadPoolExecutor(
          1,
          1,
          10,
          TimeUnit.SECONDS,
          new ArrayBlockingQueue<>(WAITING),
          task -> {
            Thread made = new Thread(task, "restitch-payload-files");
            made.setDaemon(true);
            return made;
          });

  FilePayloads(PayloadsConfig config) {
    this.config = config;
    thread.allowCoreThreadTimeOut(true);
  }

  CompletionStage<Bytes> fetch(URI reference) {
    Path path;
    try {
      path = Path.of(reference);
    } catch (IllegalArgumentException | FileSystemNotFoundException e) {
      throw new TruthException("a reference to a file reads file:///FOLDER/NAME");
    }
    if (config.files().stream().noneMatch(path.normalize()::startsWith)) {
      throw new TruthException("the file lies in no folder that payloads.files lists");
    }
    try {
      return CompletableFuture.supplyAsync(() -> read(path), thread)
          .orTimeout(config.timeout().toMillis(), TimeUnit.MILLISECONDS)
          .exceptionallyCompose(HttpPayloads::inTime);
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedStage(
          new TruthUnavailableException("too many payloads wait to be read", e));
    }
  }

  private Bytes read(Path path) {
    try {
      Path real = path.toRealPath();
      boolean inside = false;
      for (Path folder : config.files()) {
        inside |= Files.isDirectory(folder) && real.startsWith(folder.toRealPath());
      }
      if (!inside || !Files.isRegularFile(real, LinkOption.NOFOLLOW_LINKS)) {
        throw new TruthException("the file lies in no folder that payloads.files lists");
      }
      try (InputStream in = Files.newInputStream(real, LinkOption.NOFOLLOW_LINKS)) {
        byte[] bytes = in.readNBytes(config.limit() + 1);
        if (bytes.length > config.limit()) {
          throw PayloadRefs.tooLarge(config.limit());
        }
        return Bytes.copyOf(bytes);
      }
    } catch (NoSuchFileException e) {
      throw new TruthException("the file that the intent refers to is not there");
    } catch (IOException e) {
      throw new TruthUnavailableException(
          "the file that the intent refers to cannot be read now: " + e.getClass().getSimpleName(),
          e);
    }
  }

  @Override
  public void close() {
    thread.shutdown();
  }
}
