package dev.restitch.worker.truth;

import dev.restitch.model.Bytes;
import dev.restitch.writer.HashFields;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Makes payloads of the row at which a result set stands. */
record JdbcPayload(String source) {

  /** Larger payloads are refused: they would not fit a store's comfort, nor the worker's memory. */
  static final int LARGEST = 32 * 1024 * 1024;

  /**
   * One column: bytes as they are, anything else as its text.
   *
   * @throws TruthException if it is null, or too large
   */
  Bytes column(ResultSet rows, int column, String side) throws SQLException {
    Bytes value =
        value(rows, column)
            .orElseThrow(
                () -> new TruthException("source " + source + " has null for side " + side));
    requireSmall(value.length(), side);
    return value;
  }

  /**
   * All columns as the fields of a hash, by their labels; null is a field that is not there.
   *
   * @throws TruthException if all are null, or too large together
   */
  Bytes fields(ResultSet rows, String side) throws SQLException {
    ResultSetMetaData columns = rows.getMetaData();
    Map<Bytes, Bytes> fields = new HashMap<>();
    long length = 0;
    for (int i = 1; i <= columns.getColumnCount(); i++) {
      Optional<Bytes> value = value(rows, i);
      if (value.isPresent()) {
        length += value.get().length();
        requireSmall(length, side);
        fields.put(Bytes.utf8(columns.getColumnLabel(i)), value.get());
      }
    }
    if (fields.isEmpty()) {
      throw new TruthException("source " + source + " has nothing but null for side " + side);
    }
    return new HashFields(fields).payload();
  }

  private static Optional<Bytes> value(ResultSet rows, int column) throws SQLException {
    return switch (rows.getMetaData().getColumnType(column)) {
      case Types.BINARY, Types.VARBINARY, Types.LONGVARBINARY, Types.BLOB ->
          Optional.ofNullable(rows.getBytes(column)).map(Bytes::copyOf);
      default -> Optional.ofNullable(rows.getString(column)).map(Bytes::utf8);
    };
  }

  private void requireSmall(long length, String side) {
    if (length > LARGEST) {
      throw new TruthException(
          "source "
              + source
              + " has "
              + length
              + " bytes for side "
              + side
              + "; at most "
              + LARGEST
              + " are written");
    }
  }
}
