package dev.restitch.writer;

import dev.restitch.avro.ResultKind;

/** What became of one key, or of the marker. */
public enum WriteStatus {
  /** It stands, or stood, as asked. */
  WRITTEN(ResultKind.OK),
  /** The fence refused it: a version at least as new stands there. */
  SUPERSEDED(ResultKind.OK),
  /** The server said no; nothing was changed. */
  FAILED(ResultKind.FAILED),
  /** Not tried, or no answer: it may or may not stand. */
  UNKNOWN(ResultKind.UNKNOWN);

  private final ResultKind kind;

  WriteStatus(ResultKind kind) {
    this.kind = kind;
  }

  /** How {@code done} says it. */
  public ResultKind kind() {
    return kind;
  }

  boolean ok() {
    return kind == ResultKind.OK;
  }
}
