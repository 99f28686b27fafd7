package dev.restitch.sandbox.history;

import dev.restitch.model.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Tears of known verdicts; a torn instance is not written to again. */
final class Tears {

  private static final long SETTLE_MILLIS = 2_000;
  private static final List<Integer> BOTH = List.of(0, 1);

  private final Timeline timeline;
  private final Random random;
  private final Writers writers;
  private final List<KnownTear> known;

  Tears(Timeline timeline, Random random, Writers writers, List<KnownTear> known) {
    this.timeline = timeline;
    this.random = random;
    this.writers = writers;
    this.known = known;
  }

  /** Tears one instance, in one of many ways. */
  void tear(Cast cast, long at) {
    switch (random.nextInt(13)) {
      case 0 -> missing(cast.idle("user", at), at, Verdict.TORN_MISSING, false);
      case 1 -> missing(cast.idle("pay", at), at, Verdict.UNCOMMITTED, false);
      case 2 -> missing(cast.idle("pay", at), at, Verdict.COMMITTED_TORN, true);
      case 3 -> markerMissing(cast.idle("pay", at), at);
      case 4 -> overwritten(cast.idle("user", at), at);
      case 5 -> gone(cast.idle("user", at), at, "del", Verdict.SIDE_DELETED);
      case 6 -> gone(cast.idle("user", at), at, "evicted", Verdict.SIDE_EVICTED);
      case 7 -> gone(cast.idle("user", at), at, "expired", Verdict.SIDE_EXPIRED);
      case 8 -> foreign(cast.idle("user", at), at);
      case 9 -> crossed(cast.idle("order", at), at);
      case 10 -> transfer(cast, at);
      case 11 -> contested(cast.idle("price", at - SETTLE_MILLIS), at, Verdict.UNORDERED);
      default -> contested(cast.idle("user", at), at, Verdict.COLLISION);
    }
  }

  private void missing(Subject s, long at, Verdict verdict, boolean marked) {
    String token = writers.token();
    long version = s.version + 1;
    writers.intent(s, at, token, version, BOTH, false);
    long first = writers.put(s, random.nextInt(2), at + 5, version, token);
    if (marked) {
      timeline.add(first + 1, Lines.marker(first + 1, Writers.marker(s, token)));
    }
    boolean snapshotTells = Writers.marker(s, token) == null;
    declared(s, verdict, token, snapshotTells ? first + SETTLE_MILLIS : -1);
  }

  private void markerMissing(Subject s, long at) {
    String token = writers.token();
    long version = s.version + 1;
    writers.intent(s, at, token, version, BOTH, false);
    writers.put(s, 0, at + 5, version, token);
    writers.put(s, 1, at + 9, version, token);
    declared(s, Verdict.MARKER_MISSING, token, -1);
  }

  private void overwritten(Subject s, long at) {
    String older = writers.whole(s, at, s.version + 1, BOTH);
    String newer = writers.whole(s, s.busyUntil + 1, s.version + 1, BOTH);
    int side = random.nextInt(2);
    long late = s.write(side, s.busyUntil + random.nextInt(60_000), s.version - 1, older);
    timeline.add(late, Lines.set(late, s.held[side]));
    declared(s, Verdict.TORN_OVERWRITTEN, newer, late + SETTLE_MILLIS);
  }

  private void gone(Subject s, long at, String event, Verdict verdict) {
    String token = writers.whole(s, at, s.version + 1, BOTH);
    int side = random.nextInt(2);
    long when = s.write(side, s.busyUntil + 1 + random.nextInt(60_000), null, null);
    timeline.add(when, Lines.gone(when, s.keys.get(side), event));
    declared(s, verdict, token, event.equals("expired") ? -1 : when + SETTLE_MILLIS);
  }

  private void foreign(Subject s, long at) {
    String token = writers.whole(s, at, s.version + 1, BOTH);
    long when = s.busyUntil + 1 + random.nextInt(60_000);
    timeline.add(when, Lines.unstamped(when, s.keys.get(random.nextInt(2))));
    s.busyUntil = when;
    declared(s, Verdict.FOREIGN_WRITE, token, -1);
  }

  private void crossed(Subject s, long at) {
    String newest = null;
    for (int side : new int[] {0, 2}) {
      newest = writers.token();
      long version = s.version + 1;
      writers.intent(s, at + side * 10L, newest, version, List.of(side, side + 1), false);
      writers.put(s, side, at + 5 + side * 10L, version, newest);
    }
    declared(s, Verdict.TORN_CROSSED, newest, -1);
  }

  private void transfer(Cast cast, long at) {
    Subject from = cast.idle("acct", at);
    Subject to = cast.idle("acct", at);
    while (to == from) {
      to = cast.idle("acct", at);
    }
    String token = writers.token();
    long version = writers.nextCounter();
    timeline.add(
        at, Lines.intent(at, token, version, List.of(from.keys.get(0), to.keys.get(0)), null));
    writers.put(from, 0, at + 5, version, token);
    from.torn = true;
    declared(to, Verdict.TORN_MISSING, token, -1);
  }

  /** Two writers that nothing orders each stay on one side. */
  private void contested(Subject s, long at, Verdict verdict) {
    boolean collision = verdict == Verdict.COLLISION;
    long version = collision ? s.version + 1 : Math.max(at, s.version + 1_000);
    String first = writers.token();
    String second = writers.token();
    writers.intent(s, at, first, version, BOTH, false);
    writers.intent(s, at + 1, second, collision ? version : version + 100, BOTH, false);
    writers.put(s, 0, at + 5, version, first);
    writers.put(s, 1, at + 8, collision ? version : version + 100, second);
    declared(s, verdict, second, -1);
  }

  /** Half of those whose deadline is known have their probe recorded too. */
  private void declared(Subject s, Verdict verdict, String token, long askedAt) {
    s.torn = true;
    known.add(new KnownTear(s.instance, verdict, token));
    if (askedAt >= 0 && random.nextBoolean()) {
      long at = askedAt + 3 + random.nextInt(100);
      timeline.add(
          at, Lines.snapshot(at, askedAt, s.instance, new ArrayList<>(Arrays.asList(s.held))));
    }
  }
}
