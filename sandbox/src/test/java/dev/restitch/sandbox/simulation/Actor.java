package dev.restitch.sandbox.simulation;

/** Whoever takes steps: a client, a process, the network. */
class Actor {

  final String name;

  /** Its process was killed; what it meant to do is not done any more. */
  boolean dead;

  /** It stands still until then, with all that it was about to do. */
  long pausedUntil = -1;

  Actor(String name) {
    this.name = name;
  }

  @Override
  public String toString() {
    return name;
  }
}
