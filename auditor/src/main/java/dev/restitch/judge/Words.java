package dev.restitch.judge;

import dev.restitch.judge.Evidence.Result;
import dev.restitch.stamp.Stamp;

/**
 * Finds whose word a done is. The pair (version, token) identifies a transaction, but a done may
 * leave the version out: it then belongs to the transaction of that token, and waits without any
 * effect until one is known.
 */
final class Words {

  private Words() {}

  /** The stamp as sides carry it: entries of logs are told apart by their token alone. */
  static Stamp identity(InstanceState s, Stamp named) {
    return s.relation.log() && named.version() != null ? new Stamp(null, named.token()) : named;
  }

  /** The stamp of the transaction that a done names; its own where no better is known. */
  static Stamp resolve(InstanceState s, Stamp named) {
    if (!lacksVersion(s, named)) {
      return identity(s, named);
    }
    Stamp highest = named;
    for (Stamp known : s.transactions.keySet()) {
      boolean same = known.version() != null && known.token().equals(named.token());
      if (same && (highest.version() == null || known.version() > highest.version())) {
        highest = known;
      }
    }
    return highest;
  }

  /** True if it is no transaction, only the word for one that is not known yet. */
  static boolean waits(InstanceState s, Transaction t) {
    return lacksVersion(s, t.stamp);
  }

  /** Gives a transaction the word that waited for it. */
  static void claim(InstanceState s, Transaction t, long at) {
    if (t.stamp.version() == null || t.stamp.token().isEmpty()) {
      return;
    }
    Transaction word = s.transactions.remove(new Stamp(null, t.stamp.token()));
    if (word == null) {
      return;
    }
    word.done.forEach((k, r) -> t.done.merge(k, r, (a, b) -> a == Result.UNKNOWN ? b : a));
    if (t.done.containsValue(Result.OK)) {
      t.effective(at);
    }
    if (word.markerSeen()) {
      t.markerSeen(word.markerSeenAt, null, s.markerTtl());
    }
  }

  private static boolean lacksVersion(InstanceState s, Stamp stamp) {
    return stamp.version() == null && s.relation.stamp().hasVersion() && !s.relation.log();
  }
}
