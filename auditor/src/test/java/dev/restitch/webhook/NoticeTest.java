package dev.restitch.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.restitch.avro.Incident;
import dev.restitch.avro.IncidentState;
import dev.restitch.avro.KeyRef;
import dev.restitch.config.WebhookConfig;
import dev.restitch.model.Severity;
import dev.restitch.model.Verdict;
import dev.restitch.webhook.Notice.What;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NoticeTest {

  private static final WebhookConfig CONFIG =
      new WebhookConfig(
          "http://localhost:1",
          null,
          100,
          Duration.ofSeconds(1),
          Map.of(Verdict.SIDE_EXPIRED, Severity.INFO));

  private static Incident incident(IncidentState state, String verdict, long updatedAt) {
    ByteBuffer key = ByteBuffer.wrap("user:1:profile".getBytes(StandardCharsets.UTF_8));
    return Incident.newBuilder()
        .setId("5f0c")
        .setInstance("user/1")
        .setRelation("user")
        .setVerdict(verdict)
        .setState(state)
        .setBehind(List.of(KeyRef.newBuilder().setStore("east").setKey(key).build()))
        .setRule("a rule")
        .setAction("report")
        .setSuspectedAtMillis(0)
        .setDueAtMillis(0)
        .setDeclaredAtMillis(1_000)
        .setUpdatedAtMillis(updatedAt)
        .build();
  }

  private static Optional<What> what(IncidentState state, long updatedAt) {
    return Notice.of(incident(state, "TORN_MISSING", updatedAt), CONFIG).map(Notice::what);
  }

  @Test
  void shouldTellOfTheBeginningAndTheEndAndOfWhatNeedsAPerson() {
    assertThat(what(IncidentState.OPEN, 1_000)).hasValue(What.OPENED);
    assertThat(what(IncidentState.REPAIRING, 1_000)).hasValue(What.OPENED);
    assertThat(what(IncidentState.REPAIRING, 1_001)).isEmpty();
    assertThat(what(IncidentState.OPEN, 2_000)).isEmpty();
    assertThat(what(IncidentState.REPAIRED, 2_000)).hasValue(What.CLOSED);
    assertThat(what(IncidentState.HEALED, 2_000)).hasValue(What.CLOSED);
    assertThat(what(IncidentState.MANUAL, 2_000)).hasValue(What.STUCK);
    assertThat(what(IncidentState.FAILED, 2_000)).hasValue(What.STUCK);
    assertThat(what(IncidentState.SUPPRESSED, 1_000)).isEmpty();
  }

  @Test
  void shouldGradeByVerdictAndConfiguration() {
    assertThat(severity("COMMITTED_TORN")).isEqualTo(Severity.CRITICAL);
    assertThat(severity("TORN_MISSING")).isEqualTo(Severity.WARNING);
    assertThat(severity("MARKER_EXPIRED")).isEqualTo(Severity.INFO);
    assertThat(severity("SIDE_EXPIRED")).isEqualTo(Severity.INFO);
    assertThat(severity("A_VERDICT_FROM_THE_FUTURE")).isEqualTo(Severity.WARNING);
  }

  private static Severity severity(String verdict) {
    return Notice.of(incident(IncidentState.OPEN, verdict, 1_000), CONFIG).orElseThrow().severity();
  }

  @Test
  void shouldNameTheKeysAndTheRule() {
    Notice notice =
        Notice.of(incident(IncidentState.OPEN, "TORN_MISSING", 1_000), CONFIG).orElseThrow();

    assertThat(notice.json().path("event").asText()).isEqualTo("opened");
    assertThat(notice.json().path("severity").asText()).isEqualTo("warning");
    assertThat(notice.json().path("behind").path(0).asText()).isEqualTo("east/user:1:profile");
    assertThat(notice.json().path("rule").asText()).isEqualTo("a rule");
    assertThat(notice.json().path("closedAt").isNull()).isTrue();
  }
}
