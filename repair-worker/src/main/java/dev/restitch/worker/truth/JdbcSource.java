package dev.restitch.worker.truth;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.restitch.config.RelationConfig;
import dev.restitch.config.SourceConfig;
import dev.restitch.model.Bytes;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A source of truth behind JDBC: a connection pool, and as many threads as it has connections. What
 * waits for a thread is bounded; one more is told that the source is not available. Sides are read
 * in one read-only transaction, repeatable read, so that they belong together.
 *
 * <p>For PostgreSQL {@code stringtype=unspecified} is set unless the URL says otherwise, so that
 * ids, which are sent as text, fit numeric and UUID columns.
 */
public final class JdbcSource implements TruthSource, AutoCloseable {

  private static final Duration CONNECTION_TIMEOUT = Duration.ofSeconds(5);
  private static final int WAITING = 1000;

  private final SourceConfig config;
  private final HikariDataSource pool;
  private final ThreadPoolExecutor threads;
  private final JdbcRead read;

  /** Opens the pool; connections are made when they are needed. */
  public JdbcSource(SourceConfig config) {
    this.config = config;
    this.pool = new HikariDataSource(settings(config));
    this.read = new JdbcRead(config);
    AtomicInteger number = new AtomicInteger();
    this.threads =
        new ThreadPoolExecutor(
            config.maximumPoolSize(),
            config.maximumPoolSize(),
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(WAITING),
            task -> {
              Thread thread =
                  new Thread(task, "truth-" + config.name() + "-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Proves that the database answers. Blocks.
   *
   * @throws SQLException if it does not
   */
  public void ping() throws SQLException {
    try (Connection connection = pool.getConnection()) {
      if (!connection.isValid((int) CONNECTION_TIMEOUT.toSeconds())) {
        throw new SQLException("the connection is not valid");
      }
      connection.rollback();
    }
  }

  @Override
  public CompletionStage<Truth> read(RelationConfig relation, String instance) {
    return ask(connection -> read.all(connection, relation, instance));
  }

  @Override
  public CompletionStage<List<Optional<LogEntry>>> entries(
      RelationConfig relation, String instance, Bytes token) {
    return ask(connection -> read.entries(connection, relation, instance, token));
  }

  private interface Question<T> {
    T ask(Connection connection) throws SQLException;
  }

  private <T> CompletionStage<T> ask(Question<T> question) {
    try {
      return CompletableFuture.supplyAsync(() -> askNow(question), threads);
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedStage(
          new TruthUnavailableException("source " + config.name() + " is busy or closed", e));
    }
  }

  private <T> T askNow(Question<T> question) {
    try (Connection connection = pool.getConnection()) {
      try {
        return question.ask(connection);
      } finally {
        connection.rollback();
      }
    } catch (SQLException e) {
      throw SqlFaults.passing(e)
          ? new TruthUnavailableException(
              "source " + config.name() + " does not answer: " + SqlFaults.inWords(e), e)
          : new TruthException(
              "source " + config.name() + " refused the query: " + SqlFaults.inWords(e), e);
    }
  }

  private static HikariConfig settings(SourceConfig config) {
    HikariConfig settings = new HikariConfig();
    settings.setPoolName("truth-" + config.name());
    settings.setJdbcUrl(config.jdbc());
    if (config.username() != null) {
      settings.setUsername(config.username());
    }
    if (config.password() != null) {
      settings.setPassword(config.password().reveal());
    }
    settings.setMaximumPoolSize(config.maximumPoolSize());
    settings.setMinimumIdle(Math.min(1, config.maximumPoolSize()));
    settings.setConnectionTimeout(CONNECTION_TIMEOUT.toMillis());
    settings.setInitializationFailTimeout(-1);
    settings.setReadOnly(true);
    settings.setAutoCommit(false);
    settings.setTransactionIsolation("TRANSACTION_REPEATABLE_READ");
    if (config.jdbc().startsWith("jdbc:postgresql:")) {
      postgres(settings, config.jdbc());
    }
    return settings;
  }

  private static void postgres(HikariConfig settings, String url) {
    unlessGiven(settings, url, "stringtype", "unspecified");
    unlessGiven(settings, url, "ApplicationName", "restitch-repair-worker");
    unlessGiven(settings, url, "connectTimeout", "5");
    unlessGiven(settings, url, "socketTimeout", "15");
  }

  private static void unlessGiven(HikariConfig settings, String url, String name, String value) {
    if (!url.contains("?" + name + "=") && !url.contains("&" + name + "=")) {
      settings.addDataSourceProperty(name, value);
    }
  }

  /** Ends what runs, and closes the pool. Idempotent. */
  @Override
  public void close() {
    threads.shutdown();
    pool.close();
  }
}
