package dev.restitch.replay;

import dev.restitch.judge.Consistency;
import dev.restitch.judge.Decision;
import dev.restitch.judge.Decision.Counter;
import dev.restitch.model.Verdict;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** What a replay counted. */
public final class ReplayTotals {

  public long lines;
  public long broken;

  /** Lines that name nothing but keys, instances or stores of no relation. */
  public long undeclared;

  /** Keys of no relation in lines that name others, too. */
  public long undeclaredKeys;

  /** Lines with a stamp although the key is said to carry none; the state was believed. */
  public long contradictions;

  /** Lines with an earlier time than a line before them. */
  public long late;

  public long asks;
  private final Map<Verdict, Long> settled = new EnumMap<>(Verdict.class);
  private final SortedMap<String, Consistency> consistency = new TreeMap<>();
  private final Map<Counter, Long> counters = new EnumMap<>(Counter.class);

  void note(String relation, Decision decision) {
    Consistency before = consistency.getOrDefault(relation, Consistency.NONE);
    Consistency after = before.plus(decision);
    if (after != before) {
      consistency.put(relation, after);
    }
    if (decision instanceof Decision.Settled s) {
      settled.merge(s.verdict(), 1L, Long::sum);
    } else if (decision instanceof Decision.Counted c) {
      counters.merge(c.counter(), 1L, Long::sum);
    }
  }

  /** Transactions that ended healthy with this verdict. */
  public long settled(Verdict verdict) {
    return settled.getOrDefault(verdict, 0L);
  }

  /** The consistency measure by relation; relations without a transaction are left out. */
  public SortedMap<String, Consistency> consistency() {
    return Collections.unmodifiableSortedMap(consistency);
  }

  public long count(Counter counter) {
    return counters.getOrDefault(counter, 0L);
  }

  public Map<Counter, Long> counters() {
    return Collections.unmodifiableMap(counters);
  }
}
