package dev.restitch.sandbox.workload;

import dev.restitch.stamp.Stamp;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;

/**
 * What the stores must hold in the end: for relations with a table, what the database holds; for
 * the others, the newest version that took effect. Thread-safe.
 */
public final class Truth implements AutoCloseable {

  /**
   * A table of truth: a text column {@code id}, and one a side.
   *
   * @param columns in the order of the relation's sides
   */
  public record Table(String name, List<String> columns) {

    /** The query that a source of truth uses for a side. */
    public String query(int side) {
      return "select " + columns.get(side) + " from " + name + " where id = ?";
    }

    String create() {
      return "create table "
          + name
          + " (id text primary key, "
          + String.join(" text, ", columns)
          + " text)";
    }

    String upsert() {
      String set = String.join(", ", columns.stream().map(c -> c + " = excluded." + c).toList());
      return "insert into "
          + name
          + " (id, "
          + String.join(", ", columns)
          + ") values (?"
          + ", ?".repeat(columns.size())
          + ") on conflict (id) do update set "
          + set;
    }
  }

  /** The tables, by relation. */
  public static final Map<String, Table> TABLES =
      Map.of(
          "user", new Table("users", List.of("profile", "settings")),
          "pay", new Table("payments", List.of("debit", "credit")));

  /** The newest write of an instance that took effect. */
  record Standing(Stamp stamp, Payloads payloads) {}

  private final DataSource database;
  private final TruthWriter writer;
  private final Map<String, Standing> newest = new ConcurrentHashMap<>();

  private Truth(DataSource database, TruthWriter writer) {
    this.database = database;
    this.writer = writer;
  }

  /** Creates the tables, empty. */
  public static Truth create(DataSource database) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      for (Table table : TABLES.values()) {
        statement.execute(table.create());
      }
    }
    return new Truth(database, TruthWriter.open(database));
  }

  /** Commits what an instance is to hold, where its relation has a table. */
  CompletionStage<Void> commit(Instance instance, Payloads payloads) {
    Table table = TABLES.get(instance.relation().name());
    return table == null
        ? CompletableFuture.completedStage(null)
        : writer.commit(table, instance, payloads);
  }

  /** Notes that a write has taken effect on a side. */
  void stands(Instance instance, Stamp stamp, Payloads payloads) {
    newest.merge(
        instance.name(),
        new Standing(stamp, payloads),
        (old, now) -> now.stamp().version() > old.stamp().version() ? now : old);
  }

  Optional<Standing> newest(Instance instance) {
    return Optional.ofNullable(newest.get(instance.name()));
  }

  /** All rows of a relation's table, by id, in the order of its sides. */
  Map<String, List<String>> rows(String relation) throws SQLException {
    Table table = TABLES.get(relation);
    Map<String, List<String>> rows = new HashMap<>();
    String sql = "select id, " + String.join(", ", table.columns()) + " from " + table.name();
    try (Connection connection = database.getConnection();
        PreparedStatement select = connection.prepareStatement(sql);
        ResultSet result = select.executeQuery()) {
      while (result.next()) {
        rows.put(result.getString(1), List.of(result.getString(2), result.getString(3)));
      }
    }
    return rows;
  }

  @Override
  public void close() throws SQLException {
    writer.close();
  }
}
