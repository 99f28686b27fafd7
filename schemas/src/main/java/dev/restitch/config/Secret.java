package dev.restitch.config;

import java.util.Objects;

/** A secret value; never shown. */
public record Secret(String reveal) {

  public Secret {
    Objects.requireNonNull(reveal, "secret");
  }

  @Override
  public String toString() {
    return "********";
  }
}
