package dev.restitch.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.restitch.avro.Incident;
import dev.restitch.avro.IncidentState;
import dev.restitch.config.ConfigLoader;
import dev.restitch.config.RestitchConfig;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ControlRequestTest {

  private static final RestitchConfig CONFIG =
      ConfigLoader.parse(
          """
          stores: { east: { uri: "redis://localhost:1" } }
          relations:
            user: { sides: { b: { store: east, key: "a:{x}" } }, stamp: "{token}:{payload}" }
          """,
          Map.of());

  @Test
  void shouldOnlySayWhatItWouldDoUnlessItIsToldToDoIt() {
    assertThat(read("pause", "", "on", "").apply()).isFalse();
    assertThat(read("pause", "", "on", ", \"apply\": true").apply()).isTrue();
  }

  @Test
  void shouldApproveWhatTheIncidentProposes() {
    ControlRequest request = read("approve", "incident:5f0c", "", "");

    assertThat(request.directive().key()).isEqualTo("approve/incident:user/1#5f0c");
    assertThat(request.directive().value()).isEqualTo("TORN_MISSING roll-forward");
    assertThat(request.directive().atMillis()).isEqualTo(7);
    assertThat(read("discard", "incident:user/1#5f0c", "on", "").directive().key())
        .isEqualTo("discard/incident:user/1#5f0c");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "pause   | store:north    | on | no store north",
        "pause   | relation:users | on | no relation users",
        "suppress| rule:users/*   | on | no relation users",
        "discard | incident:beef  | on | no incident beef",
        "approve | incident:only  | '' | only reported",
        "blind   | node:east/h:1  | on | auditors only",
        "speed   | ''             | 1  | no such setting",
        "rate    | store:east     | fast | rate cannot be fast",
        "brake   | ''             | off | brake cannot be set everywhere"
      })
  void shouldSayWhatIsWrong(String setting, String scope, String value, String problem) {
    assertThatThrownBy(() -> read(setting, scope, value, ""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(problem);
  }

  @Test
  void shouldWantJsonWithOwnerAndCause() {
    assertThatThrownBy(() -> ControlRequest.read("pause", CONFIG, this::incident, 7))
        .hasMessageContaining("not JSON");
    assertThatThrownBy(
            () ->
                ControlRequest.read(
                    "{\"setting\":\"pause\",\"value\":\"on\",\"owner\":\"ann\"}",
                    CONFIG,
                    this::incident,
                    7))
        .hasMessageContaining("needs its cause");
  }

  private ControlRequest read(String setting, String scope, String value, String more) {
    return ControlRequest.read(
        "{\"setting\":\"%s\",\"scope\":\"%s\",\"value\":\"%s\",\"owner\":\"a\",\"cause\":\"b\"%s}"
            .formatted(setting, scope, value, more),
        CONFIG,
        this::incident,
        7);
  }

  private Optional<Incident> incident(String id) {
    return switch (id) {
      case "5f0c" -> Optional.of(incident(id, "roll-forward"));
      case "only" -> Optional.of(incident(id, "report"));
      default -> Optional.empty();
    };
  }

  private static Incident incident(String id, String action) {
    return Incident.newBuilder()
        .setId(id)
        .setInstance("user/1")
        .setRelation("user")
        .setVerdict("TORN_MISSING")
        .setState(IncidentState.OPEN)
        .setBehind(List.of())
        .setRule("")
        .setAction(action)
        .setSuspectedAtMillis(0)
        .setDueAtMillis(0)
        .setDeclaredAtMillis(0)
        .setUpdatedAtMillis(0)
        .build();
  }
}
