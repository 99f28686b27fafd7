package dev.restitch.worker.apply;

import dev.restitch.config.RelationConfig;
import dev.restitch.config.VersionConfig;
import dev.restitch.stamp.Stamp;

/** The trusted order of a relation's versions. */
public final class Order {

  private Order() {}

  /**
   * True if one stamp is certainly newer than another: both have a version, something orders them,
   * and timestamps are more than {@code max-skew} apart.
   */
  public static boolean newer(RelationConfig relation, Stamp one, Stamp other) {
    if (one.version() == null || other.version() == null) {
      return false;
    }
    return switch (relation.version().order()) {
      case COUNTER -> one.version() > other.version();
      case TIMESTAMP -> one.version() - other.version() > skewMillis(relation.version());
      case NONE -> false;
    };
  }

  private static long skewMillis(VersionConfig version) {
    return version.maxSkew() == null ? 0 : version.maxSkew().toMillis();
  }
}
