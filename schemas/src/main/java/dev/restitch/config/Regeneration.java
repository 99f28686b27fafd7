package dev.restitch.config;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How {@code accept-newest} makes a side from another. Immutable.
 *
 * @param targets what each side is made from, by its name; empty: {@code copy}, between sides that
 *     declare the same payload
 */
public record Regeneration(Map<String, From> targets) {

  /** {@code regenerate: copy}. */
  public static final Regeneration COPY = new Regeneration(Map.of());

  /**
   * What one side is made from.
   *
   * @param side name of the side that is read
   * @param mapping a JSONata expression; null: the payload is copied
   */
  public record From(String side, String mapping) {}

  /**
   * A side that another can be made from.
   *
   * @param side its index in the relation
   * @param mapping a JSONata expression; null: the payload is copied
   */
  public record Source(int side, String mapping) {}

  public Regeneration {
    targets = Collections.unmodifiableMap(new LinkedHashMap<>(targets));
  }

  /**
   * What a side can be made from, in the order in which it is tried; empty if nothing is declared
   * for it.
   *
   * @param target index of the side
   */
  public List<Source> sourcesOf(List<SideConfig> sides, int target) {
    SideConfig made = sides.get(target);
    From declared = targets.get(made.name());
    List<Source> sources = new ArrayList<>(1);
    for (int i = 0; i < sides.size(); i++) {
      SideConfig side = sides.get(i);
      if (declared != null && side.name().equals(declared.side())) {
        sources.add(new Source(i, declared.mapping()));
      } else if (targets.isEmpty() && i != target && copies(side, made)) {
        sources.add(new Source(i, null));
      }
    }
    return sources;
  }

  /** True if two sides carry the same thing in the same form. */
  static boolean copies(SideConfig one, SideConfig other) {
    return one.payload() != null
        && one.payload().equals(other.payload())
        && one.type() == other.type();
  }
}
