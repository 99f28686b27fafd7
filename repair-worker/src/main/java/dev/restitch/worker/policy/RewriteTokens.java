package dev.restitch.worker.policy;

import dev.restitch.model.Bytes;
import dev.restitch.writer.Digests;
import java.util.HexFormat;
import java.util.OptionalInt;

/**
 * The tokens of a command's rewrites: a hash of the command's id, and of id and number for later
 * generations. Whoever carries out the command, and however often, uses the same ones.
 */
record RewriteTokens(String command) {

  /** Generations that one command can come to. */
  static final int GENERATIONS = 32;

  private static final int HEX_DIGITS = 32;

  /** The token of a generation, counted from zero: 32 hex digits. */
  Bytes of(int generation) {
    String text = generation == 0 ? command : command + "#" + generation;
    byte[] hash = Digests.sha256(Bytes.utf8(text).toArray()).toArray();
    return Bytes.utf8(HexFormat.of().formatHex(hash).substring(0, HEX_DIGITS));
  }

  /** The generation that a token is of; empty if it is none of this command's. */
  OptionalInt generation(Bytes token) {
    for (int i = 0; i < GENERATIONS; i++) {
      if (of(i).equals(token)) {
        return OptionalInt.of(i);
      }
    }
    return OptionalInt.empty();
  }
}
