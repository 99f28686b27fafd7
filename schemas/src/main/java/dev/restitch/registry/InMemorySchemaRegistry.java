package dev.restitch.registry;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.SchemaCompatibility;
import org.apache.avro.SchemaCompatibility.SchemaCompatibilityType;

/**
 * A registry inside this process, for tests and {@code mock://} addresses. It checks BACKWARD
 * compatibility with a subject's newest version, as a real one does. Thread-safe; keeps everything.
 */
public final class InMemorySchemaRegistry implements SchemaRegistry {

  private static final int CONFLICT = 409;

  private final String address;
  private final Map<Schema, Integer> ids = new LinkedHashMap<>();
  private final List<Schema> schemas = new ArrayList<>();
  private final Map<String, List<Integer>> versions = new LinkedHashMap<>();

  public InMemorySchemaRegistry() {
    this("mock://memory");
  }

  InMemorySchemaRegistry(String address) {
    this.address = address;
  }

  @Override
  public synchronized int register(String subject, Schema schema) {
    Schema portable = SchemaText.portable(schema);
    List<Integer> known = versions.getOrDefault(subject, List.of());
    Integer id = ids.get(portable);
    if (id != null && known.contains(id)) {
      return id;
    }
    if (!compatible(subject, portable)) {
      throw new RegistryRefusedException(
          "schema " + schema.getFullName() + " is not compatible with subject " + subject,
          CONFLICT,
          CONFLICT);
    }
    if (id == null) {
      schemas.add(portable);
      id = schemas.size();
      ids.put(portable, id);
    }
    versions.computeIfAbsent(subject, any -> new ArrayList<>()).add(id);
    return id;
  }

  @Override
  public synchronized Schema byId(int id) {
    if (id < 1 || id > schemas.size()) {
      throw new SchemaNotFoundException(id, address);
    }
    return schemas.get(id - 1);
  }

  @Override
  public synchronized boolean compatible(String subject, Schema schema) {
    List<Integer> known = versions.getOrDefault(subject, List.of());
    if (known.isEmpty()) {
      return true;
    }
    Schema newest = schemas.get(known.get(known.size() - 1) - 1);
    return SchemaCompatibility.checkReaderWriterCompatibility(schema, newest).getType()
        == SchemaCompatibilityType.COMPATIBLE;
  }

  @Override
  public synchronized boolean registered(String subject, Schema schema) {
    Integer id = ids.get(SchemaText.portable(schema));
    return id != null && versions.getOrDefault(subject, List.of()).contains(id);
  }

  @Override
  public void ping() {
    // It is always there.
  }

  @Override
  public String address() {
    return address;
  }
}
