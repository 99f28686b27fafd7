package dev.restitch.worker.truth;

import dev.restitch.config.RelationConfig;
import dev.restitch.config.SideConfig;
import dev.restitch.config.SideType;
import dev.restitch.config.SourceConfig;
import dev.restitch.key.InstanceName;
import dev.restitch.model.Bytes;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Runs the configured query of each side. Blocks; thread-safe. */
final class JdbcRead {

  private static final int QUERY_SECONDS = 10;

  private final SourceConfig config;
  private final JdbcPayload payloads;

  JdbcRead(SourceConfig config) {
    this.config = config;
    this.payloads = new JdbcPayload(config.name());
  }

  /**
   * Reads every side.
   *
   * @throws TruthException if a side has no query, or its truth is null or too large
   */
  Truth all(Connection connection, RelationConfig relation, String instance) throws SQLException {
    List<String> ids = ids(instance);
    List<Optional<Bytes>> found = new ArrayList<>(relation.sides().size());
    for (SideConfig side : relation.sides()) {
      found.add(one(connection, side, ids, rows -> payload(rows, side)));
    }
    return new Truth(found);
  }

  /**
   * Reads the entries of one transaction.
   *
   * @throws TruthException as {@link #all}, or if the token is not text
   */
  List<Optional<LogEntry>> entries(
      Connection connection, RelationConfig relation, String instance, Bytes token)
      throws SQLException {
    List<String> parameters = new ArrayList<>(ids(instance));
    parameters.add(
        token
            .asUtf8()
            .orElseThrow(() -> new TruthException("the transaction's token is not UTF-8 text")));
    List<Optional<LogEntry>> found = new ArrayList<>(relation.sides().size());
    for (SideConfig side : relation.sides()) {
      found.add(one(connection, side, parameters, rows -> entry(rows, side)));
    }
    return found;
  }

  private Bytes payload(ResultSet rows, SideConfig side) throws SQLException {
    return side.type() == SideType.HASH && rows.getMetaData().getColumnCount() > 1
        ? payloads.fields(rows, side.name())
        : payloads.column(rows, 1, side.name());
  }

  private LogEntry entry(ResultSet rows, SideConfig side) throws SQLException {
    Bytes payload = payloads.column(rows, 1, side.name());
    if (side.type() != SideType.ZSET || rows.getMetaData().getColumnCount() < 2) {
      return new LogEntry(payload, null);
    }
    double score = rows.getDouble(2);
    return new LogEntry(payload, rows.wasNull() ? null : (Double) score);
  }

  private interface Row<T> {
    T read(ResultSet rows) throws SQLException;
  }

  private <T> Optional<T> one(
      Connection connection, SideConfig side, List<String> parameters, Row<T> row)
      throws SQLException {
    String query = config.query().get(side.name());
    if (query == null) {
      throw new TruthException("source " + config.name() + " has no query for " + side.name());
    }
    try (PreparedStatement statement = connection.prepareStatement(query)) {
      statement.setQueryTimeout(QUERY_SECONDS);
      statement.setMaxRows(1);
      for (int i = 0; i < parameters.size(); i++) {
        statement.setString(i + 1, parameters.get(i));
      }
      try (ResultSet rows = statement.executeQuery()) {
        return rows.next() ? Optional.of(row.read(rows)) : Optional.empty();
      }
    }
  }

  private static List<String> ids(String instance) {
    return InstanceName.ids(instance).stream()
        .map(
            id ->
                id.asUtf8()
                    .orElseThrow(
                        () -> new TruthException("an id of " + instance + " is not UTF-8 text")))
        .toList();
  }
}
