package dev.restitch.sweep;

import java.util.OptionalLong;

/**
 * How much memory a server uses: too much is more than a share of its {@code maxmemory}, and more
 * than it used when the sweep began, since a cache that evicts is always full. Not thread-safe.
 */
final class MemoryUse {

  /** Growth that is not taken for growth. */
  private static final double NOISE = 1.02;

  private final double share;
  private long usedAtFirst = -1;
  private long used;
  private long most;

  /**
   * Nothing is known yet.
   *
   * @param share of {@code maxmemory}
   */
  MemoryUse(double share) {
    this.share = share;
  }

  /** Takes what {@code INFO memory} says. */
  void told(String info) {
    used = number(info, "used_memory:").orElse(0);
    most = number(info, "maxmemory:").orElse(0);
    if (usedAtFirst < 0) {
      usedAtFirst = used;
    }
  }

  /** A sweep begins: what is used next is what was used at first. */
  void begin() {
    usedAtFirst = -1;
  }

  boolean tooMuch() {
    return most > 0 && used > share * most && used > NOISE * usedAtFirst;
  }

  private static OptionalLong number(String info, String name) {
    return info.lines()
        .filter(line -> line.startsWith(name))
        .mapToLong(line -> Long.parseLong(line.substring(name.length()).trim()))
        .findFirst();
  }
}
