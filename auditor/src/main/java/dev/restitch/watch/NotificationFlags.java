package dev.restitch.watch;

import dev.restitch.config.SideType;
import java.util.Set;

/** What {@code notify-keyspace-events} must hold. */
final class NotificationFlags {

  private static final String ALL = "g$lshztxed";

  private NotificationFlags() {}

  /** The flags that sides of these types need, in the server's letters. */
  static String needed(Set<SideType> types) {
    StringBuilder flags = new StringBuilder("Kg$xe");
    if (types.contains(SideType.LIST)) {
      flags.append('l');
    }
    if (types.contains(SideType.HASH)) {
      flags.append('h');
    }
    if (types.contains(SideType.ZSET)) {
      flags.append('z');
    }
    return flags.toString();
  }

  /** The needed flags that are not set; empty: none is missing. */
  static String missing(String needed, String set) {
    String effective = set.indexOf('A') >= 0 ? set + ALL : set;
    StringBuilder missing = new StringBuilder();
    needed
        .chars()
        .filter(flag -> effective.indexOf(flag) < 0)
        .forEach(flag -> missing.append((char) flag));
    return missing.toString();
  }
}
