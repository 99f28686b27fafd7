package dev.restitch.replay;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The lines of a history file, by number, as strict UTF-8. Line ends are {@code \n} or {@code
 * \r\n}. Not thread-safe.
 */
final class HistoryLines implements AutoCloseable {

  /** Longer lines are broken: no record of Kafka is. */
  static final int LONGEST_BYTES = 16 << 20;

  private static final char BYTE_ORDER_MARK = '\ufeff';

  private final InputStream in;
  private final byte[] buffer = new byte[1 << 16];
  private final ByteArrayOutputStream spilled = new ByteArrayOutputStream();
  private int at;
  private int end;
  private long number;
  private long bytes;

  HistoryLines(Path history) throws IOException {
    this.in = Files.newInputStream(history);
  }

  /** Number of the last line, from 1. */
  long number() {
    return number;
  }

  /** Bytes read so far, line ends included. */
  long bytes() {
    return bytes;
  }

  /**
   * The next line; null: there is none.
   *
   * @throws HistoryException if it is no text; the next call goes on behind it
   */
  String next() throws IOException {
    spilled.reset();
    boolean any = false;
    while (fill()) {
      any = true;
      int newline = at;
      while (newline < end && buffer[newline] != '\n') {
        newline++;
      }
      int from = at;
      bytes += newline - from;
      if (newline == end) {
        spill(from, newline);
        at = end;
        continue;
      }
      bytes++;
      at = newline + 1;
      if (spilled.size() == 0) {
        return text(buffer, from, newline);
      }
      spill(from, newline);
      break;
    }
    return any ? text(spilled.toByteArray(), 0, spilled.size()) : null;
  }

  private boolean fill() throws IOException {
    if (at == end) {
      at = 0;
      end = Math.max(0, in.read(buffer));
    }
    return at < end;
  }

  /** Keeps one byte more than is allowed, which tells that there were more. */
  private void spill(int from, int to) {
    int room = LONGEST_BYTES + 1 - spilled.size();
    spilled.write(buffer, from, Math.min(room, to - from));
  }

  private String text(byte[] line, int from, int to) {
    number++;
    boolean carriageReturn = to > from && line[to - 1] == '\r';
    int length = to - from - (carriageReturn ? 1 : 0);
    String text = new String(line, from, length, StandardCharsets.UTF_8);
    if (length > LONGEST_BYTES) {
      throw new HistoryException(number, "is longer than " + LONGEST_BYTES + " bytes").in(text);
    }
    if (text.indexOf('\ufffd') >= 0 && !isUtf8(ByteBuffer.wrap(line, from, length))) {
      throw new HistoryException(
              number, "not UTF-8; give such bytes as base64, in key64 or token64")
          .in(text);
    }
    boolean marked = number == 1 && !text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK;
    return marked ? text.substring(1) : text;
  }

  private static boolean isUtf8(ByteBuffer line) {
    try {
      StandardCharsets.UTF_8.newDecoder().decode(line);
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
