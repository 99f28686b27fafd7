package dev.restitch.config;

import dev.restitch.key.KeyPattern;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Binds the sides of one relation. A side that is wrong has null where it could not be read. */
final class SideBinder {

  private static final int MOST = 16;
  private static final Map<String, SideType> TYPES = new LinkedHashMap<>();

  static {
    TYPES.put("string", SideType.STRING);
    TYPES.put("hash", SideType.HASH);
    TYPES.put("list", SideType.LIST);
    TYPES.put("zset", SideType.ZSET);
  }

  private SideBinder() {}

  static List<SideConfig> bind(Section relation, Set<String> stores) {
    Section sides = relation.names("sides");
    List<SideConfig> bound = new ArrayList<>();
    for (String name : sides.names()) {
      Values.checkName(sides, name);
      bound.add(bind(name, sides.child(name, "store", "key", "payload", "type", "fields"), stores));
    }
    if (bound.isEmpty() || bound.size() > MOST) {
      sides.problem("a relation has 1 to " + MOST + " sides, not " + bound.size());
    }
    checkLogs(sides, bound);
    checkCaptures(sides, bound);
    return bound;
  }

  private static SideConfig bind(String name, Section side, Set<String> stores) {
    String store = Values.reference(side, "store", "store", stores, "store: east").orElse(null);
    String example = "key: \"user:{id}:profile\"";
    KeyPattern key =
        side.parse("key", side.required("key", example), KeyPattern::parse).orElse(null);
    SideType type = Values.choice(side, "type", TYPES).orElse(SideType.STRING);
    Section fields = side.child("fields", "version", "token");
    if (fields.given() && type != SideType.HASH) {
      fields.problem("has no use without type: hash");
    }
    if (type == SideType.HASH && !fields.given()) {
      side.problem("fields", "is missing; for example fields: { version: v, token: t }");
    }
    return new SideConfig(
        name,
        store,
        key,
        side.text("payload").orElse(null),
        type,
        fields.text("version").orElse(null),
        fields.text("token").orElse(null));
  }

  private static void checkLogs(Section sides, List<SideConfig> bound) {
    if (bound.stream().map(side -> side.type().log()).distinct().count() > 1) {
      sides.problem("mixes logs (list, zset) with others; a relation has one kind or the other");
    }
  }

  private static void checkCaptures(Section sides, List<SideConfig> bound) {
    SideConfig first = null;
    for (SideConfig side : bound) {
      if (side.key() == null) {
        continue;
      }
      if (first == null) {
        first = side;
      } else if (!captures(side).equals(captures(first))) {
        sides.problem(
            side.name() + ".key",
            "captures "
                + side.key().names()
                + ", but side "
                + first.name()
                + " captures "
                + first.key().names()
                + "; all sides of a relation capture the same names");
      }
    }
  }

  private static Set<String> captures(SideConfig side) {
    return new HashSet<>(side.key().names());
  }
}
