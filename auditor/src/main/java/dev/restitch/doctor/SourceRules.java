package dev.restitch.doctor;

import java.util.List;

/** Whether a query of a source of truth fits its relation. Pure. */
final class SourceRules {

  private static final String CHECK = "source";

  /**
   * What was found out about one query.
   *
   * @param where source, relation and side
   * @param path of the query in the configuration
   * @param ids names of the ids that it gets, in order
   * @param parameters how many it takes; null: the driver does not tell
   * @param columns how many it gives; null: it was not run
   * @param failure what the database said; null: nothing
   */
  record QueryFacts(
      String where,
      String path,
      List<String> ids,
      Integer parameters,
      Integer columns,
      String failure) {}

  private SourceRules() {}

  static Finding judge(QueryFacts q) {
    int wanted = q.ids().size();
    if (q.parameters() != null && q.parameters() != wanted) {
      return Finding.error(
          CHECK,
          q.where(),
          "the query has "
              + q.parameters()
              + " parameter(s), and gets "
              + wanted
              + ": "
              + String.join(", ", q.ids()),
          "in " + q.path() + " write one ? for each of " + String.join(", ", q.ids()));
    }
    if (q.failure() != null) {
      return Finding.error(
          CHECK,
          q.where(),
          "the database refuses the query, so that truth cannot be read: " + q.failure(),
          "correct " + q.path() + ", or grant its user SELECT on what it reads");
    }
    if (q.columns() != null && q.columns() != 1) {
      return Finding.warning(
          CHECK,
          q.where(),
          "the query gives " + q.columns() + " columns; only the first is the payload",
          "in " + q.path() + " select the payload only");
    }
    return Finding.ok(
        CHECK,
        q.where(),
        "the query takes " + wanted + " id(s) and was tried with one of nobody's");
  }
}
