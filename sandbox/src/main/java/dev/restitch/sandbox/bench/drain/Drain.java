package dev.restitch.sandbox.bench.drain;

/** A contender at work. Made anew for each round; {@code seen} may be called by any thread. */
interface Drain extends AutoCloseable {

  /** Begins; returns at once. */
  void start();

  /** Records taken so far. */
  long seen();

  /** The name of its application, which its changelogs begin with; empty if it has none. */
  String application();

  @Override
  void close();
}
