package dev.restitch.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.restitch.replay.HistoryException;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The side file of broken history lines: one JSON object each, with the line's number, what is
 * wrong, and the line itself. A file of an earlier run is replaced; where no line is broken there
 * is none. Not thread-safe.
 */
final class RejectedLines implements AutoCloseable {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path file;
  private BufferedWriter out;

  RejectedLines(Path file) throws IOException {
    this.file = file;
    Files.deleteIfExists(file);
  }

  /**
   * Writes a line down.
   *
   * @throws UncheckedIOException if it cannot be written
   */
  void add(HistoryException broken) {
    try {
      if (out == null) {
        out = Files.newBufferedWriter(file, StandardCharsets.UTF_8);
      }
      out.write(
          JSON.createObjectNode()
              .put("line", broken.line())
              .put("error", broken.why())
              .put("text", broken.text())
              .toString());
      out.write('\n');
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    if (out != null) {
      out.close();
    }
  }
}
