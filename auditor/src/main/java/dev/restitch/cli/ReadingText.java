package dev.restitch.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.restitch.avro.Reading;
import dev.restitch.model.Bytes;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;

/** A reading for people and for programs: its stamp, and never a payload. */
final class ReadingText {

  private ReadingText() {}

  /** As {@code store/key=version:token}, or the state in brackets. */
  static String side(Reading reading) {
    return reading.getStore() + "/" + Bytes.copyOf(reading.getKey()) + "=" + state(reading);
  }

  /** The stamp, or the state in brackets. */
  static String state(Reading reading) {
    return switch (reading.getState()) {
      case STAMPED -> stamp(reading);
      case ABSENT, UNSTAMPED, UNREADABLE, PRESENT ->
          "(" + reading.getState().name().toLowerCase(Locale.ROOT) + ")";
    };
  }

  private static String stamp(Reading reading) {
    if (reading.getTokens() != null) {
      return reading.getTokens().size() + " tokens";
    }
    String token = reading.getToken() == null ? "" : Bytes.copyOf(reading.getToken()).toString();
    return reading.getVersion() == null ? token : reading.getVersion() + ":" + token;
  }

  /** Fills an object. */
  static void write(ObjectNode side, Reading reading) {
    side.put("store", reading.getStore());
    bytes(side, "key", Bytes.copyOf(reading.getKey()));
    side.put("state", reading.getState().name().toLowerCase(Locale.ROOT));
    if (reading.getVersion() != null) {
      side.put("version", reading.getVersion());
    }
    if (reading.getToken() != null) {
      bytes(side, "token", Bytes.copyOf(reading.getToken()));
    }
    if (reading.getTokens() != null) {
      ArrayNode tokens = side.putArray("tokens");
      for (ByteBuffer token : reading.getTokens()) {
        tokens.add(Bytes.copyOf(token).toString());
      }
    }
  }

  /** As text, or as base64 under {@code name64} where the bytes are not UTF-8. */
  static void bytes(ObjectNode node, String name, Bytes bytes) {
    Optional<String> text = bytes.asUtf8();
    if (text.isPresent()) {
      node.put(name, text.get());
    } else {
      node.put(name + "64", Base64.getEncoder().encodeToString(bytes.toArray()));
    }
  }
}
