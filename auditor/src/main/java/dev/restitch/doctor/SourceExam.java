package dev.restitch.doctor;

import dev.restitch.config.RelationConfig;
import dev.restitch.config.RepairPolicyConfig.Policy;
import dev.restitch.config.RestitchConfig;
import dev.restitch.config.SideConfig;
import dev.restitch.config.SourceConfig;
import dev.restitch.doctor.SourceRules.QueryFacts;
import dev.restitch.startup.Peers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/**
 * Prepares every query of a source of truth, and tries it with an id of nobody's in a read-only
 * transaction that is rolled back. Blocks.
 */
final class SourceExam {

  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final int QUERY_SECONDS = 5;

  /** SQL states of values that do not fit: the id of nobody need not look like one. */
  private static final String DATA_EXCEPTION = "22";

  private final RestitchConfig config;
  private final SourceConfig source;

  SourceExam(RestitchConfig config, SourceConfig source) {
    this.config = config;
    this.source = source;
  }

  List<Finding> examine() throws InterruptedException {
    String address = Peers.withoutCredentials(source.jdbc());
    if (!driven()) {
      return List.of(
          Finding.warning(
              "source",
              source.name(),
              "cannot be examined: no driver for " + address + " is on the class path",
              "put the JDBC driver's jar on the class path of the auditor and the repair worker"));
    }
    try {
      return Timed.call(LIMIT, this::connected);
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      return List.of(
          Finding.error(
              "source",
              source.name(),
              "the database at "
                  + address
                  + " does not let us in, so that truth cannot be read: "
                  + Timed.words(e),
              "check sources." + source.name() + ": jdbc, username and password"));
    }
  }

  private boolean driven() {
    try {
      DriverManager.getDriver(source.jdbc());
      return true;
    } catch (SQLException noDriver) {
      return false;
    }
  }

  private List<Finding> connected() throws SQLException {
    List<Finding> findings = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection(source.jdbc(), properties())) {
      connection.setReadOnly(true);
      connection.setAutoCommit(false);
      for (RelationConfig relation : config.relations().values()) {
        if (uses(relation)) {
          for (SideConfig side : relation.sides()) {
            findings.add(SourceRules.judge(query(connection, relation, side)));
          }
        }
      }
    }
    return findings;
  }

  private boolean uses(RelationConfig relation) {
    return relation.repair().stream()
        .anyMatch(p -> p.policy() == Policy.SOURCE_OF_TRUTH && source.name().equals(p.source()));
  }

  private QueryFacts query(Connection connection, RelationConfig relation, SideConfig side)
      throws SQLException {
    Integer parameters = null;
    Integer columns = null;
    String failure = null;
    List<String> ids = relation.captureNames();
    try (PreparedStatement statement =
        connection.prepareStatement(source.query().get(side.name()))) {
      ParameterMetaData expected = statement.getParameterMetaData();
      parameters = expected.getParameterCount();
      if (parameters == ids.size()) {
        columns = attempt(statement, expected, ids.size());
      }
    } catch (SQLException e) {
      if (e.getSQLState() == null || !e.getSQLState().startsWith(DATA_EXCEPTION)) {
        failure = Timed.words(e);
      }
    } finally {
      connection.rollback();
    }
    return new QueryFacts(
        source.name() + " " + relation.name() + "." + side.name(),
        "sources." + source.name() + ".query." + side.name(),
        ids,
        parameters,
        columns,
        failure);
  }

  private static int attempt(PreparedStatement statement, ParameterMetaData expected, int ids)
      throws SQLException {
    statement.setQueryTimeout(QUERY_SECONDS);
    statement.setMaxRows(1);
    for (int i = 1; i <= ids; i++) {
      statement.setString(i, nobody(expected, i));
    }
    try (ResultSet rows = statement.executeQuery()) {
      return rows.getMetaData().getColumnCount();
    }
  }

  private static String nobody(ParameterMetaData expected, int index) throws SQLException {
    return switch (expected.getParameterType(index)) {
      case Types.TINYINT,
          Types.SMALLINT,
          Types.INTEGER,
          Types.BIGINT,
          Types.NUMERIC,
          Types.DECIMAL ->
          "-1";
      default ->
          "uuid".equalsIgnoreCase(expected.getParameterTypeName(index))
              ? "00000000-0000-0000-0000-000000000000"
              : StoreNeeds.NOBODY;
    };
  }

  /** As the repair worker connects: ids are sent as text, whatever their columns' type. */
  private Properties properties() {
    Properties properties = new Properties();
    if (source.username() != null) {
      properties.setProperty("user", source.username());
    }
    if (source.password() != null) {
      properties.setProperty("password", source.password().reveal());
    }
    if (source.jdbc().startsWith("jdbc:postgresql:")) {
      unlessGiven(properties, "stringtype", "unspecified");
      unlessGiven(properties, "connectTimeout", "5");
      unlessGiven(properties, "socketTimeout", "15");
      unlessGiven(properties, "ApplicationName", "restitch-doctor");
    }
    return properties;
  }

  private void unlessGiven(Properties properties, String name, String value) {
    if (!source.jdbc().contains("?" + name + "=") && !source.jdbc().contains("&" + name + "=")) {
      properties.setProperty(name, value);
    }
  }
}
