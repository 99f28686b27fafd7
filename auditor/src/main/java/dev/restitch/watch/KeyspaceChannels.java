package dev.restitch.watch;

import dev.restitch.key.KeyPattern;
import dev.restitch.model.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** The channels that key events of one database come on. Immutable. */
final class KeyspaceChannels {

  /** With more patterns than these the server would match longer than a wide one costs. */
  private static final int MOST_PATTERNS = 32;

  private final byte[] prefix;

  KeyspaceChannels(int database) {
    this.prefix = ("__keyspace@" + database + "__:").getBytes(StandardCharsets.US_ASCII);
  }

  /** The key that a channel is about; empty for a channel of something else. */
  Optional<Bytes> key(byte[] channel) {
    if (channel.length < prefix.length
        || !java.util.Arrays.equals(channel, 0, prefix.length, prefix, 0, prefix.length)) {
      return Optional.empty();
    }
    return Optional.of(Bytes.copyOf(channel, prefix.length, channel.length - prefix.length));
  }

  /** The channel patterns that cover these keys; none covers another. */
  List<Bytes> patterns(Collection<KeyPattern> keys) {
    List<String> globs = keys.stream().map(KeyspaceChannels::glob).distinct().toList();
    List<String> widest = new ArrayList<>();
    for (String glob : globs) {
      if (globs.stream().noneMatch(other -> !other.equals(glob) && covers(other, glob))) {
        widest.add(glob);
      }
    }
    List<String> chosen = widest.size() > MOST_PATTERNS ? List.of("*") : widest;
    String head = new String(prefix, StandardCharsets.US_ASCII);
    return chosen.stream().map(glob -> Bytes.utf8(head + glob)).toList();
  }

  /** The glob of a key pattern: captures become {@code *}, which also matches {@code ':'}. */
  static String glob(KeyPattern pattern) {
    String text = pattern.toString();
    StringBuilder out = new StringBuilder();
    int at = 0;
    while (at < text.length()) {
      char c = text.charAt(at);
      boolean doubled = at + 1 < text.length() && text.charAt(at + 1) == c;
      if (c == '{' && !doubled) {
        out.append('*');
        at = text.indexOf('}', at) + 1;
      } else {
        if ("*?[]\\".indexOf(c) >= 0) {
          out.append('\\');
        }
        out.append(c);
        at += (c == '{' || c == '}') ? 2 : 1;
      }
    }
    return out.toString();
  }

  /** True if whatever the other glob matches, the wide one matches. */
  static boolean covers(String wide, String other) {
    if (wide.isEmpty()) {
      return other.isEmpty();
    }
    if (wide.charAt(0) == '*') {
      for (int i = 0; i <= other.length(); i++) {
        if (covers(wide.substring(1), other.substring(i))) {
          return true;
        }
      }
      return false;
    }
    int length = wide.charAt(0) == '\\' ? 2 : 1;
    return other.startsWith(wide.substring(0, length))
        && covers(wide.substring(length), other.substring(length));
  }
}
