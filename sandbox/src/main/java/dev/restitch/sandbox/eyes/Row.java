package dev.restitch.sandbox.eyes;

import java.util.List;
import java.util.Set;

/**
 * How one fault went.
 *
 * @param writes logical writes while it went on
 * @param injected tears that stood at rest when all was over, by a reading of our own; those made
 *     on purpose and those that the fault made
 * @param found how many of them the auditor declared, by each {@link Way}
 * @param missed instances torn at rest and not declared
 * @param wrong instances declared that were torn at no time
 * @param findMillis from each tear to its declaration, where both are known, sorted
 * @param gaps gaps told since the fault struck
 * @param whys their reasons
 * @param lost notifications that a proxy left out
 * @param received notifications that the auditor counts, over all nodes
 * @param unbalanced nodes of which {@code received = published + coalesced + filtered +
 *     dead-lettered} does not hold, with what they count
 */
record Row(
    Fault fault,
    int writes,
    int injected,
    int[] found,
    Set<String> missed,
    Set<String> wrong,
    List<Long> findMillis,
    int gaps,
    Set<String> whys,
    long lost,
    long received,
    List<String> unbalanced) {

  int found(Way way) {
    return found[way.ordinal()];
  }

  /** A time that this share of the tears was found within; -1: none was. */
  long percentile(double share) {
    if (findMillis.isEmpty()) {
      return -1;
    }
    int at = (int) Math.ceil(share * findMillis.size()) - 1;
    return findMillis.get(Math.max(0, at));
  }

  /** True if nothing was missed, nothing was false, the gap was told, and the counters balance. */
  boolean right() {
    return missed.isEmpty()
        && wrong.isEmpty()
        && unbalanced.isEmpty()
        && injected > 0
        && (gaps > 0) == fault.gap();
  }
}
