package dev.restitch.worker.truth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.restitch.config.RelationConfig;
import dev.restitch.config.RestitchConfig;
import dev.restitch.config.SourceConfig;
import dev.restitch.model.Bytes;
import dev.restitch.worker.Configs;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class JdbcSourceIT {

  private static EmbeddedPostgres postgres;
  private static RelationConfig user;
  private static JdbcSource source;

  @BeforeAll
  static void startServer() throws Exception {
    postgres = EmbeddedPostgres.builder().start();
    execute("create table profiles (id bigint primary key, body text)");
    execute("create table settings (id uuid primary key, short int unique, body bytea)");
    execute("insert into profiles values (1, 'päyload:with:colons'), (3, null), (4, 'lonely')");
    execute("insert into settings values (gen_random_uuid(), 1, '\\x00ff3a'::bytea)");
    execute("insert into settings values (gen_random_uuid(), 3, ''::bytea)");
    RestitchConfig config = Configs.of("redis://127.0.0.1:1", "redis://127.0.0.1:2", url());
    user = config.relations().get("user");
    source = new JdbcSource(config(url(), "select body from settings where short = ?"));
  }

  @AfterAll
  static void stopServer() throws Exception {
    source.close();
    postgres.close();
  }

  @Test
  void shouldReadTextAndBytesByNumericIds() {
    Truth truth = read(source, "user/1");

    assertThat(truth.payloads())
        .containsExactly(
            Optional.of(Bytes.utf8("päyload:with:colons")),
            Optional.of(Bytes.copyOf(new byte[] {0, (byte) 0xff, ':'})));
    assertThat(truth).hasToString("Truth[2 sides]");
  }

  @Test
  void shouldSayThatARowIsMissing() {
    assertThat(read(source, "user/2").payloads()).containsOnly(Optional.empty());
    assertThat(read(source, "user/4").payloads())
        .containsExactly(Optional.of(Bytes.utf8("lonely")), Optional.empty());
  }

  @Test
  void shouldSayThatAPayloadIsNull() {
    failsForGood(source, "user/3", "null for side profile");
  }

  @Test
  void shouldNotAskAgainWhatTheDatabaseRefuses() {
    failsForGood(source, "user/not-a-number", "refused the query");
    try (JdbcSource broken =
        new JdbcSource(config(url(), "select nothing from nowhere where id = ?"))) {
      failsForGood(broken, "user/1", "42P01");
    }
  }

  @Test
  void shouldTellThatTheDatabaseIsAway() {
    String nowhere = "jdbc:postgresql://127.0.0.1:1/postgres?user=postgres";
    try (JdbcSource away = new JdbcSource(config(nowhere, "select 1"))) {
      assertThatThrownBy(() -> read(away, "user/1"))
          .hasCauseInstanceOf(TruthUnavailableException.class)
          .hasMessageContaining("does not answer");
      assertThatThrownBy(away::ping).isInstanceOf(SQLException.class);
    }
  }

  @Test
  void shouldReadTheSidesAsOfOneMoment() throws Exception {
    execute("insert into profiles values (50, 'a') on conflict do nothing");
    String slow = "select (select body from profiles where id = ?) from pg_sleep(0.4)";
    try (JdbcSource two = new JdbcSource(config(url(), slow))) {
      var reading = two.read(user, "user/50").toCompletableFuture();
      await().until(JdbcSourceIT::aQuerySleeps);
      execute("update profiles set body = 'b' where id = 50");

      Truth truth = reading.orTimeout(10, TimeUnit.SECONDS).join();

      assertThat(truth.payloads().get(0)).isEqualTo(truth.payloads().get(1));
    }
  }

  @Test
  void shouldWriteNothingToTheDatabase() {
    try (JdbcSource writing =
        new JdbcSource(
            config(url(), "update profiles set body = 'x' where id = ? returning body"))) {
      failsForGood(writing, "user/1", "read-only transaction");
    }
  }

  @Test
  void shouldPing() throws Exception {
    source.ping();
  }

  private static void failsForGood(JdbcSource from, String instance, String why) {
    assertThatThrownBy(() -> read(from, instance))
        .hasCauseInstanceOf(TruthException.class)
        .hasMessageContaining(why);
  }

  private static Truth read(JdbcSource from, String instance) {
    return from.read(user, instance).toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join();
  }

  private static SourceConfig config(String url, String settings) {
    Map<String, String> queries = new HashMap<>();
    queries.put("profile", "select body from profiles where id = ?");
    queries.put("settings", settings);
    return new SourceConfig("users-db", url, null, null, queries, 2);
  }

  private static String url() {
    return postgres.getJdbcUrl("postgres", "postgres");
  }

  private static boolean aQuerySleeps() throws SQLException {
    String active =
        "select 1 from pg_stat_activity where state = 'active' and pid <> pg_backend_pid()"
            + " and query like '%pg_sleep%'";
    try (Connection connection = postgres.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(active)) {
      return rows.next();
    }
  }

  private static void execute(String sql) throws SQLException {
    try (Connection connection = postgres.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
