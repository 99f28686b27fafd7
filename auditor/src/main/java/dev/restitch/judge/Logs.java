package dev.restitch.judge;

import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import dev.restitch.stamp.Stamp;
import java.util.List;

/** What is peculiar to append-only logs: S(k) is the set of tokens in the log's window. */
final class Logs {

  private Logs() {}

  /**
   * True if the token went before the oldest token of the log's window, as another log tells; such
   * tokens are not judged.
   */
  static boolean olderThanWindow(InstanceState s, Bytes token, KeyMemory log) {
    if (log.tokens == null || log.tokens.isEmpty()) {
      return false;
    }
    Bytes oldest = log.tokens.get(0);
    for (StoreKey k : s.ownKeys) {
      KeyMemory other = s.keys.get(k);
      if (other == null || other == log || other.tokens == null) {
        continue;
      }
      int mine = other.tokens.indexOf(token);
      int limit = other.tokens.indexOf(oldest);
      if (mine >= 0 && limit >= 0 && mine < limit) {
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
   */
  static void noteRollback(InstanceState s, KeyMemory log, Reading r) {
    if (log.tokens == null
        || log.primary == null
        || r.primary() == null
        || log.primary.equals(r.primary())) {
      return;
    }
    log.topPrimary = log.primary;
    log.topAt = log.at;
    for (Bytes token : log.tokens) {
      if (r.tokens() == null || !r.tokens().contains(token)) {
        s.transaction(new Stamp(null, token)).seen(log.key, log.since);
      }
    }
  }

  /** Notes a transaction for every token that some log has and another lacks. */
  static void noteTransactions(InstanceState s, VersionOrder order, long at) {
    Facts facts = new Facts(s, order, at);
    for (StoreKey k : s.ownKeys) {
      KeyMemory m = s.keys.get(k);
      if (m == null || m.tokens == null) {
        continue;
      }
      for (Bytes token : List.copyOf(m.tokens)) {
        Stamp stamp = new Stamp(null, token);
        Transaction known = s.transactions.get(stamp);
        if (known == null) {
          Transaction probe = new Transaction(stamp);
          if (facts.uncovered(probe).isEmpty() || !s.relation.writesAll()) {
            continue;
          }
          known = s.transaction(stamp);
        }
        known.seen(k, known.seenAt.getOrDefault(k, at));
      }
    }
  }
}
