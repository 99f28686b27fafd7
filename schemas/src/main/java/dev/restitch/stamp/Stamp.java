package dev.restitch.stamp;

import dev.restitch.model.Bytes;
import java.util.Objects;

/**
 * What a writer puts into a side's value. The pair identifies the transaction.
 *
 * @param version the version, or null where the template has none; zero or greater
 * @param token the token; empty where the template has none (version-only stamps)
 */
public record Stamp(Long version, Bytes token) {

  public Stamp {
    Objects.requireNonNull(token, "token");
  }

  @Override
  public String toString() {
    return version == null ? token.toString() : version + ":" + token;
  }
}
