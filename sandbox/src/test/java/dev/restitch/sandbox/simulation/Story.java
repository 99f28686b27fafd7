package dev.restitch.sandbox.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** What happened, step by step, where somebody wants to read it. Stamps, never payloads. */
final class Story {

  private final boolean told;
  private final List<String> lines = new ArrayList<>();

  Story(boolean told) {
    this.told = told;
  }

  void tell(long step, long now, Object who, Supplier<String> what) {
    if (told) {
      lines.add("%5d %8d ms  %-12s %s".formatted(step, now - Scheduler.START, who, what.get()));
    }
  }

  @Override
  public String toString() {
    return String.join("\n", lines);
  }
}
