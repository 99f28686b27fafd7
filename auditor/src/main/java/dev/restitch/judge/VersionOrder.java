package dev.restitch.judge;

import dev.restitch.config.VersionConfig;
import dev.restitch.stamp.Stamp;

/**
 * The trusted order of versions (MODEL.md, section 2). Nothing is newer where it is not trusted.
 */
final class VersionOrder {

  private final VersionConfig config;

  VersionOrder(VersionConfig config) {
    this.config = config;
  }

  boolean exists() {
    return config.order() != VersionConfig.Order.NONE;
  }

  /** True if {@code a} is newer than {@code b}, when the order is trusted. */
  boolean newer(Stamp a, Stamp b) {
    return config.newer(a, b);
  }
}
