package dev.restitch.judge;

import dev.restitch.config.ConfigLoader;
import dev.restitch.config.RelationConfig;
import dev.restitch.config.Relations;
import dev.restitch.config.RestitchConfig;
import dev.restitch.config.VersionConfig.Order;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The relations that simulated worlds are made of. */
final class WorldRelations {

  static final Path FILE = Path.of("src/test/resources/worlds/relations.yaml");
  static final RestitchConfig CONFIG = load();
  static final Relations RELATIONS = CONFIG.resolver();
  static final List<RelationConfig> ALL = List.copyOf(RELATIONS.all());

  private WorldRelations() {}

  private static RestitchConfig load() {
    try {
      return ConfigLoader.parse(Files.readString(FILE), Map.of());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static boolean ordered(RelationConfig relation) {
    return relation.version().order() != Order.NONE;
  }

  static boolean timestamps(RelationConfig relation) {
    return relation.version().order() == Order.TIMESTAMP;
  }

  /** How many instances a world of this relation has at most: transactions may span them. */
  static int mostInstances(RelationConfig relation) {
    return switch (relation.name()) {
      case "acct" -> 8;
      case "wallet", "couple" -> 3;
      case "deal" -> 2;
      default -> 1;
    };
  }
}
