package dev.restitch.sweep;

import dev.restitch.avro.KeyState;
import dev.restitch.config.RelationConfig;
import dev.restitch.config.VersionConfig.Order;
import dev.restitch.model.Bytes;
import dev.restitch.stamp.Stamp;
import java.util.List;
import java.util.Objects;

/** What the sides of one instance look like beside each other. */
public enum Comparison {
  /** No side speaks against the others. */
  WHOLE,

  /** No side carries a stamp: data from before the stamps, or none of ours. */
  LEGACY,

  /** No side is there any more. */
  GONE,

  /** Two sides carry stamps that no healthy instance carries at once. */
  DIFFERS,

  /** A side is absent beside one that carries a stamp. */
  MISSING,

  /** A side carries no stamp beside one that does. */
  UNSTAMPED,

  /** A side could not be read, so that nothing can be said. */
  UNREADABLE;

  /** True if the judge should look. */
  public boolean suspicious() {
    return switch (this) {
      case DIFFERS, MISSING, UNSTAMPED -> true;
      case WHOLE, LEGACY, GONE, UNREADABLE -> false;
    };
  }

  /**
   * Compares.
   *
   * @param sights one a side, in side order
   */
  static Comparison of(RelationConfig relation, List<Sight> sights) {
    int stamped = 0;
    int absent = 0;
    int unstamped = 0;
    for (Sight sight : sights) {
      switch (sight.state()) {
        case STAMPED -> stamped++;
        case ABSENT -> absent++;
        case UNSTAMPED -> unstamped++;
        case UNREADABLE, PRESENT -> {
          return UNREADABLE;
        }
      }
    }
    if (stamped == 0) {
      return unstamped > 0 ? LEGACY : GONE;
    }
    if (unstamped > 0) {
      return UNSTAMPED;
    }
    if (absent > 0) {
      return MISSING;
    }
    return agree(relation, sights) ? WHOLE : DIFFERS;
  }

  private static boolean agree(RelationConfig relation, List<Sight> sights) {
    if (relation.log()) {
      // which logs a transaction appends to is known from its intent only
      return !relation.writesAll() || logsAgree(sights);
    }
    Stamp first = sights.get(0).stamp();
    boolean equal = sights.stream().allMatch(sight -> first.equals(sight.stamp()));
    return equal || (!relation.writesAll() && mayStandTogether(relation, sights));
  }

  /**
   * Sides of a relation in which a transaction writes some of them may carry different
   * transactions, but no token has two versions, and no version of a counter two tokens.
   */
  private static boolean mayStandTogether(RelationConfig relation, List<Sight> sights) {
    for (int i = 0; i < sights.size(); i++) {
      for (int j = i + 1; j < sights.size(); j++) {
        Stamp a = sights.get(i).stamp();
        Stamp b = sights.get(j).stamp();
        boolean sameVersion = Objects.equals(a.version(), b.version());
        boolean sameToken = a.token().equals(b.token()) && !a.token().isEmpty();
        if (sameToken && !sameVersion) {
          return false;
        }
        if (relation.version().order() == Order.COUNTER && sameVersion && !a.equals(b)) {
          return false;
        }
      }
    }
    return true;
  }

  /** Every token of a log's window stands in every other, or is older than what that shows. */
  private static boolean logsAgree(List<Sight> sights) {
    for (Sight log : sights) {
      for (Sight other : sights) {
        for (Bytes token : log.tokens()) {
          if (!other.tokens().contains(token) && !olderThan(other.tokens().get(0), token, sights)) {
            return false;
          }
        }
      }
    }
    return true;
  }

  /** True if some log shows the token before the other. */
  private static boolean olderThan(Bytes oldest, Bytes token, List<Sight> sights) {
    return sights.stream()
        .filter(log -> log.is(KeyState.STAMPED))
        .anyMatch(
            log -> {
              int mine = log.tokens().indexOf(token);
              int limit = log.tokens().indexOf(oldest);
              return mine >= 0 && limit >= 0 && mine < limit;
            });
  }
}
