package dev.restitch.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.restitch.judge.Decision.Counter;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The action of an incident: the first policy that the table of verdicts allows, else report. */
class ActionsTest {

  private static final Map<String, String> TORN_HISTORIES =
      Map.ofEntries(
          Map.entry("COLLISION", both("7:t1", "7:t1") + "1500 set west@conf:a 7:t2\n"),
          Map.entry("FOREIGN_WRITE", both("7:t1", "7:t1") + "5000 set west@conf:a unstamped\n"),
          Map.entry(
              "TORN_ROLLED_BACK",
              both("7:t1~primary=p", "7:t1") + "5000 set east@conf:a 6:t0~primary=q\n"),
          Map.entry("SIDE_EVICTED", both("7:t1", "7:t1") + "5000 evicted east@conf:a absent\n"),
          Map.entry("SIDE_EXPIRED", both("7:t1", "7:t1") + "5000 expired east@conf:a absent\n"),
          Map.entry("SIDE_DELETED", both("7:t1", "7:t1") + "5000 del east@conf:a absent\n"),
          Map.entry("TORN_OVERWRITTEN", both("7:t1", "7:t1") + "5000 set east@conf:a 6:t0\n"),
          Map.entry("TORN_MISSING", both("7:t1", "6:t0")),
          Map.entry(
              "DIVERGED",
              "900 intent 7:t1 east@conf:a~digest=aa west@conf:a~digest=aa\n"
                  + both("7:t1~digest=aa", "7:t1~digest=bb")));

  @ParameterizedTest
  @CsvSource({
    "COLLISION, source-of-truth",
    "FOREIGN_WRITE, report",
    "TORN_ROLLED_BACK, source-of-truth",
    "SIDE_EVICTED, report",
    "SIDE_EXPIRED, report",
    "SIDE_DELETED, report",
    "TORN_OVERWRITTEN, accept-newest",
    "TORN_MISSING, accept-newest",
    "DIVERGED, source-of-truth"
  })
  void shouldChooseTheFirstPolicyThatTheTableAllows(String verdict, String action) {
    assertThat(
            conf(
                "[ { policy: accept-newest, regenerate: copy }, { policy: source-of-truth, source:"
                    + " db } ]",
                TORN_HISTORIES.get(verdict)))
        .isEqualTo(verdict + " " + action);
  }

  @ParameterizedTest
  @CsvSource({"FOREIGN_WRITE", "SIDE_EVICTED", "SIDE_EXPIRED", "SIDE_DELETED"})
  void shouldRewriteFromTheTruthByChoiceOnly(String verdict) {
    String history = TORN_HISTORIES.get(verdict);

    assertThat(
            conf(
                "[ { policy: source-of-truth, source: db, on: [ %s ] } ]".formatted(verdict),
                history))
        .isEqualTo(verdict + " source-of-truth");
    assertThat(conf("[ { policy: source-of-truth, source: db, on: [ TORN_MISSING ] } ]", history))
        .isEqualTo(verdict + " report");
    assertThat(
            conf(
                "[ { policy: accept-newest, regenerate: copy, on: [ %s ] } ]".formatted(verdict),
                history))
        .as("never resurrected, whatever the policy names")
        .isEqualTo(verdict + " report");
  }

  @Test
  void shouldUseAPolicyOnlyForTheVerdictsThatItNames() {
    String policies =
        "[ { policy: accept-newest, regenerate: copy, on: [ TORN_OVERWRITTEN ] },"
            + " { policy: source-of-truth, source: db, on: [ TORN_MISSING ] } ]";

    assertThat(conf(policies, TORN_HISTORIES.get("TORN_OVERWRITTEN")))
        .isEqualTo("TORN_OVERWRITTEN accept-newest");
    assertThat(conf(policies, TORN_HISTORIES.get("TORN_MISSING")))
        .isEqualTo("TORN_MISSING source-of-truth");
    assertThat(conf(policies, TORN_HISTORIES.get("COLLISION"))).isEqualTo("COLLISION report");
  }

  @Test
  void shouldStopAtAReportThatStandsFirst() {
    String policies =
        "[ { policy: report, on: [ TORN_MISSING ] }, { policy: source-of-truth, source: db } ]";

    assertThat(conf(policies, TORN_HISTORIES.get("TORN_MISSING"))).isEqualTo("TORN_MISSING report");
    assertThat(conf(policies, TORN_HISTORIES.get("COLLISION")))
        .isEqualTo("COLLISION source-of-truth");
  }

  @Test
  void shouldRollForwardOnlyWhereAnIntentTellsThePayload() {
    String policies = "[ { policy: roll-forward }, { policy: accept-newest, regenerate: copy } ]";
    String torn = TORN_HISTORIES.get("TORN_MISSING");

    assertThat(conf(policies, torn)).isEqualTo("TORN_MISSING accept-newest");
    assertThat(conf(policies, "900 intent 7:t1 east@conf:a west@conf:a\n" + torn))
        .isEqualTo("TORN_MISSING roll-forward");
  }

  @Test
  void shouldAcceptTheNewestOnlyBetweenSidesOfOnePayload() {
    String user = "relations:\n  user:\n";
    String changed =
        user + "    repair: [ { policy: accept-newest, regenerate: copy }, { policy: report } ]\n";
    String profile = "profile:  { store: east, key: \"user:{id}:profile\" }";
    Map<String, String> unlike =
        Map.of(
            user,
            changed,
            profile,
            profile.replace(
                " }",
                ", payload: a }\n"
                    + "      copy: { store: main, key: \"user:{id}:copy\", payload: a }"));
    // the copy is behind, and the profile carries what belongs there
    assertThat(
            Tale.of(
                    unlike,
                    "1000 set user:1:profile 7:t1\n1000 set user:1:settings 7:t1\n20000 end")
                .found())
        .containsExactly("3000 user/1 TORN_MISSING 7:t1 user:1:copy OPEN accept-newest");
    // the settings are behind, and nobody else carries settings
    assertThat(
            Tale.of(unlike, "1000 set user:1:profile 7:t1\n1000 set user:1:copy 7:t1\n20000 end")
                .found())
        .containsExactly("3000 user/1 TORN_MISSING 7:t1 user:1:settings OPEN report");
  }

  @Test
  void shouldMarkWhereTheRelationAllowsIt() {
    String written = "1000 set pay:1:debit 7:t1\n1000 set pay:1:credit 7:t1\n20000 end";

    assertThat(Tale.with("pay", "repair: [ { policy: mark } ]", written).found())
        .containsExactly("3000 pay/1 MARKER_MISSING 7:t1 txn:t1:committed OPEN mark");
    assertThat(
            Tale.with("pay", "repair: [ { policy: mark, on: [ MARKER_EXPIRED ] } ]", written)
                .found())
        .containsExactly("3000 pay/1 MARKER_MISSING 7:t1 txn:t1:committed OPEN report");
    assertThat(
            Tale.with("pay", "repair: [ { policy: mark } ]", "1000 set pay:1:debit 7:t1\n20000 end")
                .found())
        .as("a tear is not mended by a marker")
        .containsExactly("3000 pay/1 UNCOMMITTED 7:t1 pay:1:credit OPEN report");
  }

  @ParameterizedTest
  @CsvSource({"declare, 1, 0", "count, 0, 1", "off, 0, 0"})
  void shouldDeclareCountOrLeaveAVerdict(String choice, int declared, long counted) {
    Tale tale =
        Tale.with(
            "user",
            "verdicts: { TORN_MISSING: " + choice + " }",
            "1000 set user:1:profile 7:t1\n20000 end");

    assertThat(tale.found()).hasSize(declared);
    assertThat(tale.totals().count(Counter.VERDICT_NOT_DECLARED)).isEqualTo(counted);
  }

  @Test
  void shouldSwitchOffOneVerdictAndNoOther() {
    assertThat(
            Tale.with(
                    "user",
                    "verdicts: { SIDE_DELETED: off }",
                    """
                    1000 set user:1:profile 7:t1
                    1000 set user:1:settings 7:t1
                    1000 set user:2:profile 7:t1
                    1000 set user:2:settings 7:t1
                    5000 del user:1:profile absent
                    5000 evicted user:2:profile absent
                    20000 end
                    """)
                .found())
        .containsExactly("7000 user/2 SIDE_EVICTED 7:t1 user:2:profile OPEN report");
  }

  private static String both(String here, String there) {
    return "1000 set east@conf:a " + here + "\n1000 set west@conf:a " + there + "\n";
  }

  private static String conf(String policies, String history) {
    String sources =
        """
        sources:
          db:
            jdbc: "jdbc:postgresql://localhost/app"
            query: { here: "select 1", there: "select 2" }
        """;
    Tale tale =
        Tale.of(
            Map.of(
                "relations:\n",
                (policies.contains("source:") ? sources : "") + "relations:\n",
                "  conf:\n",
                "  conf:\n    repair: " + policies + "\n",
                "    version: { order: counter }\n  three:",
                "    version: { order: counter, store: east, key: \"conf:{name}:version\" }\n"
                    + "  three:"),
            history);
    return tale.tell("20000 end").replay().stream()
        .map(f -> f.incident().verdict + " " + f.incident().action)
        .reduce((a, b) -> a + "; " + b)
        .orElse("whole");
  }
}
