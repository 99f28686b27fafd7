package dev.restitch.sandbox.workload;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * Which act comes when. All comes from the seed: tears and decoys are spread over the middle of the
 * run, and every kind has its turn before one comes again.
 */
public final class Agenda {

  private static final double FIRST = 0.05;
  private static final double LAST = 0.9;
  private static final Act ORDINARY = new Act.Ordinary();

  private final int length;
  private final Map<Integer, Act> special;

  private Agenda(int length, Map<Integer, Act> special) {
    this.length = length;
    this.special = special;
  }

  /**
   * Draws an agenda.
   *
   * @param length number of acts
   * @param tears how many of them are tears; there are half as many decoys
   * @throws IllegalArgumentException if they do not fit
   */
  public static Agenda draw(int length, int tears, Random random) {
    int decoys = (tears + 1) / 2;
    int from = (int) (length * FIRST);
    int to = (int) (length * LAST);
    if (tears < 0 || tears + decoys > to - from) {
      throw new IllegalArgumentException(
          tears + " tears do not fit into " + length + " writes; lower the tear rate");
    }
    List<Act> acts = new ArrayList<>(inTurn(Tear.values(), tears, random));
    acts.addAll(inTurn(Decoy.values(), decoys, random));
    Map<Integer, Act> special = new TreeMap<>();
    for (Act act : acts) {
      int at = from + random.nextInt(to - from);
      while (special.containsKey(at)) {
        at = at + 1 < to ? at + 1 : from;
      }
      special.put(at, act);
    }
    return new Agenda(length, special);
  }

  private static <T> List<T> inTurn(T[] kinds, int count, Random random) {
    List<T> turn = new ArrayList<>(List.of(kinds));
    List<T> drawn = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      if (i % kinds.length == 0) {
        Collections.shuffle(turn, random);
      }
      drawn.add(turn.get(i % kinds.length));
    }
    return drawn;
  }

  public int length() {
    return length;
  }

  /** The act at a position. */
  public Act at(int position) {
    return special.getOrDefault(position, ORDINARY);
  }
}
