package dev.restitch.sandbox.registry;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;

/**
 * What a registry keeps: schemas by id, subjects with their versions, compatibility levels. In
 * memory, never forgotten. Thread-safe.
 */
final class Subjects {

  private final List<Schema> schemas = new ArrayList<>();
  private final Map<String, Integer> idByText = new LinkedHashMap<>();
  private final Map<String, List<Integer>> subjects = new TreeMap<>();
  private final Map<String, CompatibilityLevel> levels = new LinkedHashMap<>();
  private CompatibilityLevel global = CompatibilityLevel.BACKWARD;

  /** A schema in its place. */
  record Version(String subject, int version, int id, String schema) {}

  synchronized int register(String subject, String text) {
    Schema schema = parse(text);
    List<Integer> known = subjects.getOrDefault(subject, List.of());
    Integer id = idByText.get(schema.toString());
    if (id != null && known.contains(id)) {
      return id;
    }
    if (!level(subject).allows(schema, schemasOf(known))) {
      throw RegistryError.incompatible(subject, level(subject));
    }
    if (id == null) {
      schemas.add(schema);
      id = schemas.size();
      idByText.put(schema.toString(), id);
    }
    subjects.computeIfAbsent(subject, any -> new ArrayList<>()).add(id);
    return id;
  }

  synchronized String schema(int id) {
    if (id < 1 || id > schemas.size()) {
      throw RegistryError.noSuchSchema();
    }
    return schemas.get(id - 1).toString();
  }

  synchronized List<String> names() {
    return List.copyOf(subjects.keySet());
  }

  synchronized List<Integer> versions(String subject) {
    List<Integer> numbers = new ArrayList<>();
    for (int version = 1; version <= known(subject).size(); version++) {
      numbers.add(version);
    }
    return numbers;
  }

  synchronized Version version(String subject, String which) {
    List<Integer> known = known(subject);
    int version = number(which, known.size());
    return at(subject, version);
  }

  synchronized Version find(String subject, String text) {
    List<Integer> known = known(subject);
    Integer id = idByText.get(parse(text).toString());
    int at = id == null ? -1 : known.indexOf(id);
    if (at < 0) {
      throw RegistryError.noSuchSchema();
    }
    return at(subject, at + 1);
  }

  /** All the places of a schema. */
  synchronized List<Version> places(int id) {
    schema(id);
    List<Version> places = new ArrayList<>();
    subjects.forEach(
        (subject, known) -> {
          int at = known.indexOf(id);
          if (at >= 0) {
            places.add(at(subject, at + 1));
          }
        });
    return places;
  }

  /**
   * True if a schema may follow.
   *
   * @param which a version or {@code latest}; null: the versions that the subject's level compares
   */
  synchronized boolean compatible(String subject, String which, String text) {
    Schema schema = parse(text);
    List<Integer> known = known(subject);
    if (which == null) {
      return level(subject).allows(schema, schemasOf(known));
    }
    int version = number(which, known.size());
    return level(subject).allows(schema, schemasOf(known.subList(version - 1, version)));
  }

  synchronized CompatibilityLevel global() {
    return global;
  }

  synchronized void setGlobal(CompatibilityLevel level) {
    global = level;
  }

  /** The level of a subject: its own, else the global one. */
  synchronized CompatibilityLevel level(String subject) {
    return levels.getOrDefault(subject, global);
  }

  synchronized CompatibilityLevel ownLevel(String subject) {
    CompatibilityLevel own = levels.get(subject);
    if (own == null) {
      throw RegistryError.noLevelOfItsOwn(subject);
    }
    return own;
  }

  synchronized void setLevel(String subject, CompatibilityLevel level) {
    levels.put(subject, level);
  }

  private List<Integer> known(String subject) {
    List<Integer> known = subjects.get(subject);
    if (known == null) {
      throw RegistryError.noSuchSubject(subject);
    }
    return known;
  }

  private Version at(String subject, int version) {
    int id = known(subject).get(version - 1);
    return new Version(subject, version, id, schema(id));
  }

  private List<Schema> schemasOf(List<Integer> known) {
    return known.stream().map(id -> schemas.get(id - 1)).toList();
  }

  private static int number(String which, int newest) {
    if (which.equals("latest") || which.equals("-1")) {
      return newest;
    }
    int version;
    try {
      version = Integer.parseInt(which);
    } catch (NumberFormatException e) {
      throw RegistryError.invalidVersion(which);
    }
    if (version < 1) {
      throw RegistryError.invalidVersion(which);
    }
    if (version > newest) {
      throw RegistryError.noSuchVersion(which);
    }
    return version;
  }

  private static Schema parse(String text) {
    try {
      return new Schema.Parser().parse(text);
    } catch (AvroRuntimeException e) {
      throw RegistryError.invalidSchema(e.getMessage());
    }
  }
}
