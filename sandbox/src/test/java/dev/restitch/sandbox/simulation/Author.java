package dev.restitch.sandbox.simulation;

import dev.restitch.worker.policy.RepairOrder;

/** Who changes keys. */
sealed interface Author {

  /** A client, or what happens to a server. */
  record Owner(String name) implements Author {}

  /** A worker, by a command. */
  record Mender(String worker, RepairOrder order) implements Author {

    boolean sameCommand(Author other) {
      return other instanceof Mender m && m.order.command().getId().equals(order.command().getId());
    }

    @Override
    public String toString() {
      return worker;
    }
  }
}
