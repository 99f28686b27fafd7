package dev.restitch.judge;

import dev.restitch.config.VersionConfig;
import dev.restitch.stamp.Stamp;

/**
 * The trusted order of versions (MODEL.md, section 2). Nothing is newer where it is not trusted.
 */
final class VersionOrder {

  private final VersionConfig.Order order;
  private final long maxSkewMillis;

  VersionOrder(VersionConfig config) {
    this.order = config.order();
    this.maxSkewMillis =
        config.order() == VersionConfig.Order.TIMESTAMP ? config.maxSkew().toMillis() : 0;
  }

  boolean exists() {
    return order != VersionConfig.Order.NONE;
  }

  /** True if {@code a} is newer than {@code b}, when the order is trusted. */
  boolean newer(Stamp a, Stamp b) {
    if (order == VersionConfig.Order.NONE || a.version() == null || b.version() == null) {
      return false;
    }
    // versions are >= 0, so the difference cannot overflow
    return a.version() - b.version() > maxSkewMillis;
  }
}
