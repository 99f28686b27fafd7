package dev.restitch.worker.command;

import dev.restitch.control.Hold;
import dev.restitch.worker.policy.Repair;

/**
 * What became of a command.
 *
 * @param hold why it was refused for now; null: it was not, or for another reason
 */
record Ending(Repair repair, Hold hold) {

  static Ending of(Repair repair) {
    return new Ending(repair, null);
  }

  /** The same with a look at it later. */
  Ending followedBy(Repair.FollowUp look) {
    return new Ending(repair.followedBy(look), hold);
  }
}
