package dev.restitch.judge;

import dev.restitch.model.StoreKey;
import dev.restitch.model.Verdict;
import java.util.List;

/** What a hearing found. */
sealed interface Finding {

  /** A tear, or another thing to declare. */
  record Guilty(
      Verdict verdict, Transaction transaction, List<StoreKey> behind, long dueAt, String rule)
      implements Finding {}

  /** All sides of every effective transaction are covered. */
  record Whole() implements Finding {}

  /**
   * A transaction is incomplete and still inside its settle time.
   *
   * @param otherwise what is found if it is not waited for; {@link Whole} if nothing else is wrong
   */
  record Wait(long until, Finding otherwise) implements Finding {}
}
