package dev.restitch.sandbox.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.restitch.avro.Incident;
import dev.restitch.avro.IncidentState;
import dev.restitch.config.ConfigLoader;
import dev.restitch.config.RelationConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LedgerTest {

  private static final RelationConfig CONF =
      ConfigLoader.parse(
              """
              registry: { url: "http://localhost:1" }
              stores: { east: { uri: "redis://localhost:1" } }
              relations:
                conf:
                  sides:
                    here: { store: east, key: "conf:{name}:here" }
                    there: { store: east, key: "conf:{name}:there" }
                  stamp: "{version}:{token}:{payload}"
                  version: { order: counter }
              """,
              Map.of())
          .relations()
          .get("conf");
  private static final Instance INSTANCE = new Instance(CONF, "1");

  private final List<String> mended = new ArrayList<>();
  private final Ledger ledger = new Ledger(mended::add);

  @Test
  void shouldCountTheFirstIncidentAfterATearAsFound() {
    ledger.tearing(INSTANCE, Tear.MISSING);
    ledger.due(INSTANCE, 1_000);
    ledger.heard(incident("a", "conf/1", IncidentState.OPEN), 1_250);

    Injection.Standing standing = ledger.injections().get(0);
    assertThat(standing.found()).isTrue();
    assertThat(standing.mended()).isFalse();
    assertThat(standing.delayMillis()).isEqualTo(250);
    assertThat(ledger.settled()).isFalse();
    assertThat(ledger.falseIncidents()).isEmpty();
  }

  @Test
  void shouldTellOnceThatAnInstanceIsMended() {
    ledger.tearing(INSTANCE, Tear.MISSING);
    ledger.heard(incident("a", "conf/1", IncidentState.OPEN), 1);
    ledger.heard(incident("a", "conf/1", IncidentState.REPAIRING), 2);
    ledger.heard(incident("a", "conf/1", IncidentState.REPAIRED), 3);
    ledger.heard(incident("a", "conf/1", IncidentState.REPAIRED), 4);

    assertThat(ledger.settled()).isTrue();
    assertThat(mended).containsExactly("conf/1");
  }

  @Test
  void shouldCallAnIncidentFalseThatComesBeforeTheTear() {
    ledger.heard(incident("a", "conf/1", IncidentState.OPEN), 1);
    ledger.tearing(INSTANCE, Tear.MISSING);

    assertThat(ledger.falseIncidents()).hasSize(1);
    assertThat(ledger.injections().get(0).found()).isFalse();
  }

  @Test
  void shouldExcuseAnIncidentAboutAWriteThatTookTooLong() {
    ledger.slow(new SlowWrite("conf/1", 10_000, 13_000));
    ledger.heard(incident("a", "conf/1", IncidentState.HEALED, 10_010), 1);
    ledger.heard(incident("b", "conf/1", IncidentState.HEALED, 20_000), 1);
    ledger.heard(incident("c", "conf/2", IncidentState.HEALED, 10_010), 1);

    assertThat(ledger.slowIncidents()).extracting(Incident::getId).containsExactly("a");
    assertThat(ledger.falseIncidents()).extracting(Incident::getId).containsExactly("b", "c");
  }

  @Test
  void shouldCallASecondIncidentOfATornInstanceFalse() {
    ledger.tearing(INSTANCE, Tear.MISSING);
    ledger.heard(incident("a", "conf/1", IncidentState.REPAIRED), 1);
    ledger.heard(incident("b", "conf/1", IncidentState.OPEN), 2);
    ledger.heard(incident("b", "conf/1", IncidentState.REPAIRED), 3);

    assertThat(ledger.falseIncidents()).extracting(Incident::getId).containsExactly("b");
  }

  private static Incident incident(String id, String instance, IncidentState state) {
    return incident(id, instance, state, 0);
  }

  private static Incident incident(
      String id, String instance, IncidentState state, long suspectedAtMillis) {
    return Incident.newBuilder()
        .setId(id)
        .setInstance(instance)
        .setRelation("conf")
        .setVerdict("TORN_MISSING")
        .setState(state)
        .setBehind(List.of())
        .setRule("rule")
        .setAction("report")
        .setSuspectedAtMillis(suspectedAtMillis)
        .setDueAtMillis(0)
        .setDeclaredAtMillis(0)
        .setUpdatedAtMillis(0)
        .build();
  }
}
