package dev.restitch.sandbox.history;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Whole transactions, with all that makes their evidence untidy. */
final class Writers {

  private static final long PRICES_APART_MILLIS = 300;

  private final Timeline timeline;
  private final Random random;
  private final int longestLag;
  private long tokens;
  private long counter;

  Writers(Timeline timeline, Random random, int longestLagMillis) {
    this.timeline = timeline;
    this.random = random;
    this.longestLag = longestLagMillis;
  }

  /** Writes one transaction of any relation. */
  void write(Cast cast, long at) {
    String relation = cast.anyRelation();
    switch (relation) {
      case "acct" -> transfer(cast, at);
      case "price" -> {
        Subject s = cast.idle(relation, at - PRICES_APART_MILLIS);
        whole(s, at, Math.max(at, s.version + PRICES_APART_MILLIS), sides(s));
      }
      case "doc" -> whole(cast.idle(relation, at), at, null, List.of(0, 1));
      default -> {
        Subject s = cast.any(relation);
        whole(s, at, s.version + 1, sides(s));
      }
    }
  }

  /** The sides that a transaction writes: some in orders, all elsewhere. */
  List<Integer> sides(Subject s) {
    List<Integer> sides = new ArrayList<>();
    boolean some = s.instance.startsWith("order/");
    for (int i = 0; i < s.keys.size(); i++) {
      if (!some || random.nextBoolean()) {
        sides.add(i);
      }
    }
    if (sides.isEmpty()) {
      sides.add(random.nextInt(s.keys.size()));
    }
    return sides;
  }

  /** A transaction that reaches all its sides, each at most the longest lag later. */
  String whole(Subject s, long at, Long version, List<Integer> sides) {
    String token = token();
    intent(s, at, token, version, sides, true);
    long last = at;
    for (int side : sides) {
      last = Math.max(last, put(s, side, at + 1 + lag(), version, token));
    }
    finish(s, at, last, token, version, sides);
    return token;
  }

  /** The intent, if this writer sends one: before the writes, seldom a little after them. */
  void intent(
      Subject s, long at, String token, Long version, List<Integer> sides, boolean optional) {
    boolean needed = s.instance.startsWith("order/");
    if (optional && !needed && random.nextInt(20) == 0) {
      return;
    }
    List<String> keys = sides.stream().map(s.keys::get).toList();
    long when = optional && random.nextInt(20) == 0 ? at + random.nextInt(400) : at;
    timeline.add(when, Lines.intent(when, token, version, keys, marker(s, token)));
  }

  /** Writes one side and tells of it, now and then twice. */
  long put(Subject s, int side, long at, Long version, String token) {
    long when = s.write(side, at, version, token);
    timeline.add(when, Lines.set(when, s.held[side]));
    if (random.nextInt(100) == 0) {
      timeline.add(when, Lines.set(when, s.held[side]));
    }
    if (version != null) {
      s.version = Math.max(s.version, version);
    }
    return when;
  }

  private void finish(
      Subject s, long at, long last, String token, Long version, List<Integer> sides) {
    boolean done = random.nextBoolean();
    String marker = marker(s, token);
    if (marker != null && (!done || random.nextBoolean())) {
      long when = Math.min(last + 1, at + longestLag + 100);
      timeline.add(when, Lines.marker(when, marker));
    }
    if (done) {
      List<String> keys = sides.stream().map(s.keys::get).toList();
      timeline.add(last + 2, Lines.done(last + 2, token, version, keys, marker != null));
    }
  }

  private void transfer(Cast cast, long at) {
    Subject from = cast.idle("acct", at);
    Subject to = cast.idle("acct", at);
    while (to == from) {
      to = cast.idle("acct", at);
    }
    String token = token();
    long version = ++counter;
    List<String> keys = List.of(from.keys.get(0), to.keys.get(0));
    timeline.add(at, Lines.intent(at, token, version, keys, null));
    put(from, 0, at + 1 + lag(), version, token);
    put(to, 0, at + 1 + lag(), version, token);
  }

  /** The marker's key; null where the relation has none. */
  static String marker(Subject s, String token) {
    return s.instance.startsWith("pay/") ? "txn:" + token + ":committed" : null;
  }

  long nextCounter() {
    return ++counter;
  }

  String token() {
    return "t" + Long.toString(tokens++, 36) + "-" + Integer.toString(random.nextInt(46_656), 36);
  }

  /** Mostly some milliseconds, at times up to the longest lag. */
  private int lag() {
    return random.nextInt(50) == 0 ? random.nextInt(longestLag) : random.nextInt(20);
  }
}
