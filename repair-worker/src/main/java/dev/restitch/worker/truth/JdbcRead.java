package dev.restitch.worker.truth;

import dev.restitch.config.RelationConfig;
import dev.restitch.config.SideConfig;
import dev.restitch.config.SourceConfig;
import dev.restitch.key.InstanceName;
import dev.restitch.model.Bytes;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;

/** Runs the configured query of each side. Blocks; thread-safe. */
final class JdbcRead {

  /** Larger payloads are refused: they would not fit a store's comfort, nor the worker's memory. */
  static final int LARGEST_PAYLOAD = 32 * 1024 * 1024;

  private static final int QUERY_SECONDS = 10;

  private final SourceConfig config;

  JdbcRead(SourceConfig config) {
    this.config = config;
  }

  /**
   * Reads every side.
   *
   * @throws TruthException if a side has no query, or its truth is missing or too large
   */
  Truth all(Connection connection, RelationConfig relation, String instance) throws SQLException {
    List<String> ids = ids(instance);
    List<Bytes> payloads = new ArrayList<>(relation.sides().size());
    for (SideConfig side : relation.sides()) {
      String query = config.query().get(side.name());
      if (query == null) {
        throw new TruthException("source " + config.name() + " has no query for " + side.name());
      }
      payloads.add(one(connection, query, ids, side.name()));
    }
    return new Truth(payloads);
  }

  private List<String> ids(String instance) {
    return InstanceName.ids(instance).stream()
        .map(
            id ->
                id.asUtf8()
                    .orElseThrow(
                        () -> new TruthException("an id of " + instance + " is not UTF-8 text")))
        .toList();
  }

  private Bytes one(Connection connection, String query, List<String> ids, String side)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(query)) {
      statement.setQueryTimeout(QUERY_SECONDS);
      statement.setMaxRows(1);
      for (int i = 0; i < ids.size(); i++) {
        statement.setString(i + 1, ids.get(i));
      }
      try (ResultSet rows = statement.executeQuery()) {
        if (!rows.next()) {
          throw new TruthException("source " + config.name() + " has no row for side " + side);
        }
        return payload(rows, side);
      }
    }
  }

  private Bytes payload(ResultSet rows, String side) throws SQLException {
    byte[] payload =
        switch (rows.getMetaData().getColumnType(1)) {
          case Types.BINARY, Types.VARBINARY, Types.LONGVARBINARY, Types.BLOB ->
              present(rows.getBytes(1), side);
          default -> present(rows.getString(1), side).getBytes(StandardCharsets.UTF_8);
        };
    if (payload.length > LARGEST_PAYLOAD) {
      throw new TruthException(
          "source "
              + config.name()
              + " has "
              + payload.length
              + " bytes for side "
              + side
              + "; at most "
              + LARGEST_PAYLOAD
              + " are written");
    }
    return Bytes.copyOf(payload);
  }

  private <T> T present(T value, String side) {
    if (value == null) {
      throw new TruthException("source " + config.name() + " has null for side " + side);
    }
    return value;
  }
}
