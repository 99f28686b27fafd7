package dev.restitch.config;

/** How a side keeps its stamp. */
public enum SideType {
  STRING,
  HASH,
  LIST,
  ZSET;

  /** True for append-only logs. */
  public boolean log() {
    return this == LIST || this == ZSET;
  }
}
