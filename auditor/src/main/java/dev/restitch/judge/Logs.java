package dev.restitch.judge;

import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import dev.restitch.stamp.Stamp;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What is peculiar to append-only logs: S(k) is the set of tokens in the log's window. */
final class Logs {

  private Logs() {}

  /**
   * True if another log tells that the token stood before the oldest token of the window of some
   * log that lacks it; such tokens are not judged.
   *
   * @param logs the logs of W(T) in this instance
   */
  static boolean olderThanSomeWindow(InstanceState s, Bytes token, List<StoreKey> logs) {
    for (StoreKey k : logs) {
      KeyMemory log = s.keys.get(k);
      if (log != null
          && log.tokens != null
          && !log.tokens.isEmpty()
          && !log.hasToken(token)
          && before(s, token, log.tokens.get(0))) {
        return true;
      }
    }
    return false;
  }

  private static boolean before(InstanceState s, Bytes token, Bytes oldest) {
    for (StoreKey k : s.ownKeys) {
      KeyMemory log = s.keys.get(k);
      if (log != null
          && log.hasToken(token)
          && log.hasToken(oldest)
          && log.tokens.indexOf(token) < log.tokens.indexOf(oldest)) {
        return true;
      }
    }
    return false;
  }

  /** Which of two windows of one moment is later: the longer, then the greater by its tokens. */
  static int compare(List<Bytes> a, List<Bytes> b) {
    int order = Integer.compare(a.size(), b.size());
    for (int i = a.size() - 1; order == 0 && i >= 0; i--) {
      order = a.get(i).compareTo(b.get(i));
    }
    return order;
  }

  /**
   * Notes what a log held before its shard's primary changed, if the new one holds less: {@code
   * top*} of a log's memory are the last reading of the former primary.
   *
   * @param perhapsOld the reading may be of the former primary
   */
  static void noteRollback(InstanceState s, KeyMemory log, Reading r, boolean perhapsOld) {
    if (log.tokens == null
        || log.primary == null
        || r.primary() == null
        || log.primary.equals(r.primary())
        || (perhapsOld && r.primary().equals(log.topPrimary))) {
      return;
    }
    log.topPrimary = log.primary;
    log.topAt = log.at;
    Set<Bytes> lost = new LinkedHashSet<>(log.rolledBack); // by a change of primary before this one
    lost.addAll(log.tokens);
    if (r.tokens() != null) {
      lost.removeAll(r.tokens());
    }
    lost.forEach(t -> s.transaction(new Stamp(null, t)).seen(log.key, log.since));
    log.rolledBack = List.copyOf(lost);
  }

  /** Notes a transaction for every token of a reading that some log lacks. */
  static void noteTransactions(InstanceState s, VersionOrder order, Reading r, long at) {
    if (r.tokens() == null) {
      return;
    }
    Facts facts = new Facts(s, order, at);
    for (Bytes token : r.tokens()) {
      Stamp stamp = new Stamp(null, token);
      Transaction known = s.transactions.get(stamp);
      if (known == null) {
        boolean whole = facts.uncovered(new Transaction(stamp)).isEmpty();
        if (whole || !s.relation.writesAll()) {
          continue;
        }
        known = s.transaction(stamp);
      }
      if (!known.seenAt.containsKey(r.key())) {
        known.judgedThrough =
            -1; // where it stands among the others may bring it back into a window
      }
      known.seen(r.key(), at);
    }
  }
}
