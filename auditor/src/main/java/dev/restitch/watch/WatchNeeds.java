package dev.restitch.watch;

import dev.restitch.config.SideConfig;
import dev.restitch.key.KeyPattern;
import dev.restitch.model.Bytes;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/** What the watcher needs of a server, for those who check it beforehand. */
public final class WatchNeeds {

  /** The setting that switches notifications on. */
  public static final String SETTING = "notify-keyspace-events";

  private WatchNeeds() {}

  /** The letters that {@link #SETTING} must hold for these sides. */
  public static String flags(Collection<SideConfig> sides) {
    return NotificationFlags.needed(
        sides.stream().map(SideConfig::type).collect(Collectors.toSet()));
  }

  /** Those of the needed letters that are not set; empty: none is missing. */
  public static String missing(String needed, String set) {
    return NotificationFlags.missing(needed, set);
  }

  /** The channel patterns that a node is subscribed to for these sides. */
  public static List<Bytes> channels(int database, Collection<SideConfig> sides) {
    return new KeyspaceChannels(database).patterns(sides.stream().map(SideConfig::key).toList());
  }

  /** The glob that matches the keys of a pattern, as ACL rules are written. */
  public static String glob(KeyPattern pattern) {
    return KeyspaceChannels.glob(pattern);
  }
}
