package dev.restitch.config;

import java.util.ArrayList;
import java.util.List;

/** Collects what is wrong, so that all of it is told at once. */
final class Problems {

  private final List<ConfigException.Problem> found = new ArrayList<>();

  void add(String path, String message) {
    found.add(new ConfigException.Problem(path, message));
  }

  /** Adds a problem and says where it was written. */
  void add(String path, Tree where, String message) {
    add(path, message + " (" + where.origin() + ")");
  }

  void throwIfAny() {
    if (!found.isEmpty()) {
      throw new ConfigException(found.stream().distinct().toList());
    }
  }
}
