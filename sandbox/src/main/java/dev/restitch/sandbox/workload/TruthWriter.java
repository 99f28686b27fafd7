package dev.restitch.sandbox.workload;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/**
 * Commits rows in groups on one connection and thread: whoever waits meanwhile joins the next
 * group. Thread-safe; callers never block.
 */
final class TruthWriter implements AutoCloseable {

  private static final int CAPACITY = 10_000;
  private static final int GROUP = 500;
  private static final int CLOSE_MILLIS = 5_000;

  private record Row(
      Truth.Table table, Instance instance, Payloads payloads, CompletableFuture<Void> committed) {}

  private final Connection connection;
  private final BlockingQueue<Row> waiting = new ArrayBlockingQueue<>(CAPACITY);
  private final Thread thread = new Thread(this::run, "truth");
  private volatile boolean closed;

  private TruthWriter(Connection connection) {
    this.connection = connection;
  }

  static TruthWriter open(DataSource database) throws SQLException {
    Connection connection = database.getConnection();
    connection.setAutoCommit(false);
    TruthWriter writer = new TruthWriter(connection);
    writer.thread.setDaemon(true);
    writer.thread.start();
    return writer;
  }

  /** Completes when the row is committed; fails at once if too many wait. */
  CompletionStage<Void> commit(Truth.Table table, Instance instance, Payloads payloads) {
    CompletableFuture<Void> committed = new CompletableFuture<>();
    if (closed || !waiting.offer(new Row(table, instance, payloads, committed))) {
      committed.completeExceptionally(
          new RejectedExecutionException("too many rows wait for the database"));
    }
    return committed;
  }

  private void run() {
    List<Row> group = new ArrayList<>(GROUP);
    while (!closed) {
      try {
        Row first = waiting.poll(100, TimeUnit.MILLISECONDS);
        if (first != null) {
          group.add(first);
          waiting.drainTo(group, GROUP - 1);
          commit(group);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private void commit(List<Row> group) {
    try {
      write(group);
      connection.commit();
      group.forEach(row -> row.committed().complete(null));
    } catch (SQLException e) {
      group.forEach(row -> row.committed().completeExceptionally(e));
    } finally {
      group.clear();
    }
  }

  private void write(List<Row> group) throws SQLException {
    Map<Truth.Table, List<Row>> byTable = new HashMap<>();
    group.forEach(row -> byTable.computeIfAbsent(row.table(), t -> new ArrayList<>()).add(row));
    for (Map.Entry<Truth.Table, List<Row>> rows : byTable.entrySet()) {
      Truth.Table table = rows.getKey();
      try (PreparedStatement upsert = connection.prepareStatement(table.upsert())) {
        for (Row row : rows.getValue()) {
          upsert.setString(1, row.instance().id());
          for (int side = 0; side < table.columns().size(); side++) {
            upsert.setString(side + 2, row.payloads().text(row.instance().relation(), side));
          }
          upsert.addBatch();
        }
        upsert.executeBatch();
      }
    }
  }

  @Override
  public void close() throws SQLException {
    closed = true;
    try {
      thread.join(CLOSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    connection.close();
  }
}
