package dev.restitch.key;

import dev.restitch.model.Bytes;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The name of an instance: relation and captured ids, such as {@code user/123} or {@code
 * cart/acme/7}. Ids are percent-escaped byte by byte (RFC 3986), all but letters, digits and {@code
 * - . _ ~}.
 */
public final class InstanceName {

  private InstanceName() {}

  /** Joins relation and ids. */
  public static String of(String relation, List<Bytes> ids) {
    StringBuilder out = new StringBuilder(relation.length() + 16 * ids.size()).append(relation);
    for (Bytes id : ids) {
      out.append('/');
      for (int i = 0; i < id.length(); i++) {
        int b = id.at(i) & 0xff;
        if (unreserved(b)) {
          out.append((char) b);
        } else {
          out.append('%').append(hex(b >> 4)).append(hex(b & 15));
        }
      }
    }
    return out.toString();
  }

  /** The relation's name. */
  public static String relation(String instance) {
    int slash = instance.indexOf('/');
    return slash < 0 ? instance : instance.substring(0, slash);
  }

  /**
   * The ids, unescaped.
   *
   * @throws IllegalArgumentException if an escape is broken
   */
  public static List<Bytes> ids(String instance) {
    List<Bytes> ids = new ArrayList<>(2);
    int slash = instance.indexOf('/');
    while (slash >= 0) {
      int next = instance.indexOf('/', slash + 1);
      ids.add(unescape(instance.substring(slash + 1, next < 0 ? instance.length() : next)));
      slash = next;
    }
    return ids;
  }

  private static Bytes unescape(String id) {
    if (id.indexOf('%') < 0) {
      return Bytes.utf8(id);
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream(id.length());
    byte[] in = id.getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < in.length; i++) {
      if (in[i] != '%') {
        out.write(in[i]);
        continue;
      }
      int high = i + 2 < in.length ? Character.digit(in[i + 1], 16) : -1;
      int low = i + 2 < in.length ? Character.digit(in[i + 2], 16) : -1;
      if (high < 0 || low < 0) {
        throw new IllegalArgumentException("broken percent escape in instance id " + id);
      }
      out.write(high << 4 | low);
      i += 2;
    }
    return Bytes.copyOf(out.toByteArray());
  }

  private static boolean unreserved(int b) {
    return (b >= 'a' && b <= 'z')
        || (b >= 'A' && b <= 'Z')
        || (b >= '0' && b <= '9')
        || b == '-'
        || b == '.'
        || b == '_'
        || b == '~';
  }

  private static char hex(int nibble) {
    return "0123456789ABCDEF".charAt(nibble);
  }
}
