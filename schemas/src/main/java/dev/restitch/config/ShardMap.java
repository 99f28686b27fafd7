package dev.restitch.config;

import dev.restitch.model.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Says on which shard a key lives: the first rule that matches it does. The last rule matches every
 * key. Immutable.
 */
public record ShardMap(List<Rule> rules) {

  /**
   * @param glob of keys, as bytes: {@code *} stands for any bytes, also none; all else for itself
   * @param shard number of the shard, from 0
   */
  public record Rule(String glob, int shard) {

    /** What every key matches. */
    static final String ANY = "*";

    boolean matches(byte[] key) {
      byte[] pattern = glob.getBytes(StandardCharsets.UTF_8);
      int at = 0;
      int star = -1;
      int retry = 0;
      int k = 0;
      while (k < key.length) {
        if (at < pattern.length && pattern[at] == '*') {
          star = at++;
          retry = k;
        } else if (at < pattern.length && pattern[at] == key[k]) {
          at++;
          k++;
        } else if (star >= 0) {
          at = star + 1;
          k = ++retry;
        } else {
          return false;
        }
      }
      while (at < pattern.length && pattern[at] == '*') {
        at++;
      }
      return at == pattern.length;
    }
  }

  /**
   * @throws IllegalArgumentException if the last rule does not match every key
   */
  public ShardMap {
    rules = List.copyOf(rules);
    if (rules.isEmpty() || !rules.get(rules.size() - 1).glob().equals(Rule.ANY)) {
      throw new IllegalArgumentException("the last rule must match every key");
    }
  }

  /** The number of the shard that holds a key. */
  public int shardOf(Bytes key) {
    byte[] bytes = key.toArray();
    for (Rule rule : rules) {
      if (rule.matches(bytes)) {
        return rule.shard();
      }
    }
    throw new IllegalStateException("the last rule matches every key");
  }
}
