package dev.restitch.sweep;

/** One answer of {@code SCAN} whose keys are not all compared yet. Belongs to one thread. */
final class Page {

  /** Where the scan goes on after this page. */
  final String next;

  /** Doubts about instances of this page. */
  int open;

  Page(String next) {
    this.next = next;
  }
}
