package dev.restitch.cli;

import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** Where a setting is to hold: one store, one relation, or everywhere. */
final class PlaceOptions {

  @ArgGroup private Place place;

  /** One of the two. */
  static final class Place {

    @Option(names = "--store", paramLabel = "STORE", description = "Only for this store.")
    private String store;

    @Option(names = "--relation", paramLabel = "RELATION", description = "Only for this relation.")
    private String relation;
  }

  /** As the API wants it. */
  String scope() {
    if (place == null) {
      return "";
    }
    return place.store != null ? "store:" + place.store : "relation:" + place.relation;
  }
}
