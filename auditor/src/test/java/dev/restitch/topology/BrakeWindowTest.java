package dev.restitch.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.restitch.config.ConfigLoader;
import dev.restitch.judge.Decision;
import dev.restitch.judge.Incident;
import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import dev.restitch.model.Verdict;
import dev.restitch.topology.BrakeWindow.Lane;
import dev.restitch.topology.BrakeWindow.Share;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BrakeWindowTest {

  private static final String YAML =
      """
      stores:
        east: { uri: "redis://localhost:7001" }
        west: { uri: "redis://localhost:7002" }
      relations:
        conf:
          sides:
            here:  { store: east, key: "conf:{name}" }
            there: { store: west, key: "conf:{name}" }
          stamp: "{version}:{token}:{payload}"
      """;

  private static final Lane EAST = new Lane("conf", "east");
  private static final Lane WEST = new Lane("conf", "west");

  private final BrakeWindow window = new BrakeWindow(ConfigLoader.parse(YAML, Map.of()).resolver());

  @Test
  void shouldCountEachInstanceOnceHoweverOftenItIsJudged() {
    for (int i = 0; i < 1_000; i++) {
      window.note("conf/hot", settled(), i);
    }
    window.note("conf/a", declared(Verdict.TORN_MISSING, 1_000), 1_000);

    assertThat(window.shares(1_000)).containsEntry(EAST, new Share(2, 0));
    assertThat(window.shares(1_000)).containsEntry(WEST, new Share(2, 1));
  }

  @Test
  void shouldForgetAfterAMinuteToTheMillisecond() {
    window.note("conf/a", declared(Verdict.TORN_MISSING, 5_000), 5_000);

    assertThat(window.shares(64_999)).containsEntry(WEST, new Share(1, 1));
    assertThat(window.shares(65_000)).isEmpty();
  }

  @Test
  void shouldNotCountATearAgainWhenItsIncidentChanges() {
    Incident incident = incident(Verdict.TORN_MISSING, 1_000);
    incident.updatedAt = 70_000;
    incident.phase = Incident.Phase.REPAIRING;

    window.note("conf/a", new Decision.IncidentChanged("conf/a", incident), 70_000);

    assertThat(window.shares(70_000)).containsEntry(WEST, new Share(1, 0));
  }

  @ParameterizedTest
  @EnumSource(
      value = Verdict.class,
      names = {"MARKER_MISSING", "MARKER_EXPIRED", "UNDECIDED", "UNCLAIMED"})
  void shouldNotBeFedByWarnings(Verdict warning) {
    window.note("conf/a", declared(warning, 1), 1);

    assertThat(window.shares(1)).containsEntry(WEST, new Share(1, 0));
  }

  @Test
  void shouldNotBeFedByWhatCouldNotBeJudgedNorByWhatIsSuppressed() {
    window.note("conf/a", declared(Verdict.INDETERMINATE, 1), 1);
    assertThat(window.shares(1)).isEmpty();

    Incident known = incident(Verdict.TORN_MISSING, 1);
    known.phase = Incident.Phase.SUPPRESSED;
    window.note("conf/a", new Decision.IncidentChanged("conf/a", known), 1);
    assertThat(window.shares(1)).containsEntry(WEST, new Share(1, 0));
  }

  @Test
  void shouldBeginAnewForAStoreThatIsReset() {
    window.note("conf/a", declared(Verdict.TORN_MISSING, 1), 1);

    window.reset("west");

    assertThat(window.shares(1)).containsOnlyKeys(EAST);
  }

  @Test
  void shouldKeepTheLatestOfMoreInstancesThanItCan() {
    for (int i = 0; i <= BrakeWindow.MOST_INSTANCES; i++) {
      window.note("conf/" + i, declared(Verdict.TORN_MISSING, i), i / 10);
    }

    assertThat(window.shares(10_000))
        .containsEntry(WEST, new Share(BrakeWindow.MOST_INSTANCES, BrakeWindow.MOST_INSTANCES));
  }

  private static Decision settled() {
    return new Decision.Settled(Verdict.WHOLE, 5);
  }

  private static Decision declared(Verdict verdict, long at) {
    return new Decision.IncidentChanged("conf/a", incident(verdict, at));
  }

  private static Incident incident(Verdict verdict, long at) {
    Incident incident = new Incident("i");
    incident.verdict = verdict;
    incident.behind = List.of(new StoreKey("west", Bytes.utf8("conf:a")));
    incident.declaredAt = at;
    incident.updatedAt = at;
    return incident;
  }
}
