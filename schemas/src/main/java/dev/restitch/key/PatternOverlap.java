package dev.restitch.key;

import dev.restitch.model.Bytes;
import java.util.ArrayList;
import java.util.List;

/**
 * Decides whether two key patterns have a key in common. Each pattern is a row of steps: a literal
 * byte, or for a capture one byte other than {@code ':'} and then any number of them. Every pair of
 * positions that a common key can reach is visited once. Used once.
 */
final class PatternOverlap {

  /** One byte other than {@code ':'}. */
  private static final int ANY = 256;

  /** Any number of bytes other than {@code ':'}. */
  private static final int MANY = 257;

  private final int[] left;
  private final int[] right;
  private final boolean[][] seen;

  PatternOverlap(KeyPattern left, KeyPattern right) {
    this.left = steps(left);
    this.right = steps(right);
    this.seen = new boolean[this.left.length + 1][this.right.length + 1];
  }

  boolean exists() {
    seen[0][0] = true;
    for (int i = 0; i <= left.length; i++) {
      for (int j = 0; j <= right.length; j++) {
        if (seen[i][j]) {
          advance(i, j);
        }
      }
    }
    return seen[left.length][right.length];
  }

  /** Moves only forward, so that one pass over the pairs visits all that can be reached. */
  private void advance(int i, int j) {
    boolean leftMany = i < left.length && left[i] == MANY;
    boolean rightMany = j < right.length && right[j] == MANY;
    if (leftMany) {
      seen[i + 1][j] = true;
    }
    if (rightMany) {
      seen[i][j + 1] = true;
    }
    if (i < left.length && j < right.length && meet(left[i], right[j])) {
      seen[leftMany ? i : i + 1][rightMany ? j : j + 1] = true;
    }
  }

  private static boolean meet(int a, int b) {
    return a >= ANY ? b != ':' : (b >= ANY ? a != ':' : a == b);
  }

  private static int[] steps(KeyPattern pattern) {
    List<Integer> steps = new ArrayList<>();
    for (int l = 0; l < pattern.literals().size(); l++) {
      if (l > 0) {
        steps.add(ANY);
        steps.add(MANY);
      }
      Bytes literal = pattern.literals().get(l);
      for (int i = 0; i < literal.length(); i++) {
        steps.add(literal.at(i) & 0xff);
      }
    }
    return steps.stream().mapToInt(Integer::intValue).toArray();
  }
}
