package dev.restitch.worker.truth;

import java.sql.SQLException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientException;
import java.util.Set;

/** Which of a database's errors pass by themselves. */
final class SqlFaults {

  /** Connection, rollback, lack of resources, operator intervention, system error. */
  private static final Set<String> PASSING = Set.of("08", "40", "53", "57", "58");

  private static final String DATA_EXCEPTION = "22";

  private SqlFaults() {}

  static boolean passing(SQLException e) {
    if (e instanceof SQLTransientException
        || e instanceof SQLRecoverableException
        || e instanceof SQLTimeoutException) {
      return true;
    }
    String state = e.getSQLState();
    return state != null && state.length() >= 2 && PASSING.contains(state.substring(0, 2));
  }

  /**
   * One line: state and message of the error, or of its cause where the pool wraps it. The message
   * of a data exception is left out, since it may quote a row.
   */
  static String inWords(SQLException e) {
    SQLException at = e;
    while (at.getSQLState() == null && at.getCause() instanceof SQLException cause) {
      at = cause;
    }
    if (at.getSQLState() != null && at.getSQLState().startsWith(DATA_EXCEPTION)) {
      return "a value does not fit its type (" + at.getSQLState() + ")";
    }
    String message = String.valueOf(at.getMessage()).strip().replaceAll("\\s*\\R\\s*", " ");
    return at.getSQLState() == null ? message : message + " (" + at.getSQLState() + ")";
  }
}
