package dev.restitch.judge;

import dev.restitch.judge.Reading.State;
import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import dev.restitch.stamp.Stamp;
import java.util.List;
import java.util.Objects;

/**
 * S(k): what a key carries now, and what must be remembered of its past. The evidence with the
 * greatest recorded time wins; at equal times stamped before unstamped before absent, then the
 * higher version, then the greater token. Mutable; owned by one {@link InstanceState}.
 */
final class KeyMemory {

  final StoreKey key;

  State state = State.UNKNOWN;
  Stamp stamp;
  List<Bytes> tokens;

  /** The present value's end; while the key is absent, that of the last value seen there. */
  Long expiresAt;

  Bytes digest;
  Long length;

  /** Recorded time of the winning evidence. */
  long at = -1;

  /** Recorded time from which the present value is known to have stood. */
  long since = -1;

  /** Recorded time of the latest evidence for another value than the present one. */
  long otherAt = -1;

  /** The event that took the key away, while it is absent. */
  Loss loss = Loss.NONE;

  long lossAt = -1;

  /** Highest stamp seen, where versions order; time and primary are of the last one, elsewhere. */
  Stamp top;

  long topAt = -1;
  String topPrimary;
  String primary;

  /**
   * Tokens that a log held on its former primary, and lacked when it was first read on this one.
   */
  List<Bytes> rolledBack = List.of();

  boolean everStamped;

  /** How a key went. */
  enum Loss {
    NONE,
    DELETED,
    EXPIRED,
    EVICTED
  }

  KeyMemory(StoreKey key) {
    this.key = key;
  }

  static Loss lossOf(String event) {
    if (event == null) {
      return Loss.NONE;
    }
    return switch (event) {
      case "expired" -> Loss.EXPIRED;
      case "evicted" -> Loss.EVICTED;
      case "del", "unlink", "getdel", "rename_from", "flushdb", "flushall" -> Loss.DELETED;
      default -> Loss.NONE;
    };
  }

  /**
   * Merges one reading; true if what the key carries changed.
   *
   * @param perhapsOld it may have been read long before it was recorded
   */
  boolean merge(Reading r, long readAt, String event, boolean perhapsOld, VersionOrder order) {
    if (r.state() == State.UNREADABLE || r.state() == State.UNKNOWN) {
      return false;
    }
    remember(r, readAt, perhapsOld, order);
    boolean same = state == r.state() && sameValue(r);
    boolean wins = readAt > at || (readAt == at && rank(r) > 0);
    boolean changed = false;
    if (same) {
      if (readAt < since && readAt > otherAt) {
        since = readAt;
      }
      if (readAt >= at) {
        take(r, readAt);
      }
    } else if (wins) {
      otherAt = Math.max(otherAt, at);
      take(r, readAt);
      since = readAt;
      changed = true;
    } else {
      if (state == State.ABSENT && readAt >= otherAt) {
        expiresAt = r.expiresAtMillis();
      }
      otherAt = Math.max(otherAt, readAt);
      if (otherAt > since) {
        since = at;
      }
    }
    if (!perhapsOld) {
      noteLoss(r, readAt, event);
    }
    return changed;
  }

  private void take(Reading r, long readAt) {
    state = r.state();
    stamp = r.stamp();
    tokens = r.tokens();
    if (r.state() != State.ABSENT) {
      expiresAt = r.expiresAtMillis();
    }
    digest = r.digest();
    length = r.length();
    if (r.primary() != null) {
      primary = r.primary();
    }
    at = readAt;
  }

  /** Keeps the last event that took the key away, unless it was seen there again since. */
  private void noteLoss(Reading r, long readAt, String event) {
    if (r.state() != State.ABSENT) {
      if (state != State.ABSENT || readAt > lossAt) {
        loss = Loss.NONE;
        lossAt = -1;
      }
      return;
    }
    Loss how = lossOf(event);
    boolean later = readAt > lossAt || (readAt == lossAt && how.compareTo(loss) > 0);
    if (how != Loss.NONE && state == State.ABSENT && later && readAt > otherAt) {
      loss = how;
      lossAt = readAt;
      rolledBack = List.of(); // it would have gone now, if it had not gone then
    }
  }

  private void remember(Reading r, long readAt, boolean perhapsOld, VersionOrder order) {
    if (r.state() != State.STAMPED) {
      return;
    }
    everStamped = true;
    if (r.stamp() == null) {
      return;
    }
    if (r.stamp().version() == null || !order.exists()) {
      if (readAt >= topAt
          && !perhapsOld) { // nothing orders stamps: the last one seen stands for all
        topAt = readAt;
        topPrimary = r.primary();
      }
      return;
    }
    int compared = top == null ? 1 : compare(r.stamp(), top);
    if (compared > 0) {
      top = r.stamp();
      topAt = readAt;
      topPrimary = r.primary();
    } else if (compared == 0) {
      topAt = Math.min(topAt, readAt);
      if (r.primary() != null && readAt >= at && !perhapsOld) {
        topPrimary = r.primary();
      }
    }
  }

  private boolean sameValue(Reading r) {
    return Objects.equals(stamp, r.stamp()) && Objects.equals(tokens, r.tokens());
  }

  /** Positive if the reading goes before the present value at equal recorded times. */
  private int rank(Reading r) {
    int byState = r.state().compareTo(state);
    if (byState != 0) {
      return byState;
    }
    if (tokens != null && r.tokens() != null) {
      return Logs.compare(r.tokens(), tokens);
    }
    return stamp == null || r.stamp() == null ? 0 : compare(r.stamp(), stamp);
  }

  static int compare(Stamp a, Stamp b) {
    long va = a.version() == null ? -1 : a.version();
    long vb = b.version() == null ? -1 : b.version();
    int byVersion = Long.compare(va, vb);
    return byVersion != 0 ? byVersion : a.token().compareTo(b.token());
  }

  /** True if the key was recorded to be something else after that time. */
  boolean disagreesSince(long askedAt, Reading r) {
    return at > askedAt && !reading().agreesWith(r);
  }

  /** Past its own {@code expiresAt}; a server still serves it at that very millisecond. */
  boolean expiredBy(long now) {
    return (state == State.STAMPED || state == State.UNSTAMPED || state == State.PRESENT)
        && expiresAt != null
        && expiresAt < now;
  }

  /** The state as of now: a key past its own {@code expiresAt} counts as absent. */
  State stateAt(long now) {
    return expiredBy(now) ? State.ABSENT : state;
  }

  boolean livesAt(long now) {
    State s = stateAt(now);
    return s != State.ABSENT && s != State.UNKNOWN;
  }

  boolean carries(Stamp wanted, long now) {
    return state == State.STAMPED && wanted.equals(stamp) && !expiredBy(now);
  }

  boolean hasToken(Bytes token) {
    return tokens != null && tokens.contains(token);
  }

  /** No event told how the key went, and it was seen gone only after its last value's end. */
  private boolean expiredUnseen() {
    return state == State.ABSENT && loss == Loss.NONE && expiresAt != null && expiresAt < since;
  }

  /** When the present state began, a passed expiry included. */
  long sinceAt(long now) {
    return expiredBy(now) || expiredUnseen() ? expiresAt : since;
  }

  Loss lossAt(long now) {
    if (expiredBy(now) || expiredUnseen()) {
      return Loss.EXPIRED;
    }
    return loss;
  }

  Reading reading() {
    Long end = state == State.ABSENT ? null : expiresAt;
    return new Reading(key, state, stamp, tokens, end, primary, length, digest, at);
  }
}
