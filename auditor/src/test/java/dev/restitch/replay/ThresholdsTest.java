package dev.restitch.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.restitch.judge.Incident;
import dev.restitch.model.Verdict;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ThresholdsTest {

  private static final String PROFILE = "user:1:profile";
  private static final String SETTINGS = "user:1:settings";

  @ParameterizedTest
  @CsvSource({"2999, false", "3000, true", "3001, true"})
  void shouldDeclareExactlyAtTheDeadline(long end, boolean declared) {
    List<Replay.Found> found =
        HistoryText.ofCases()
            .intent(900, "t1", 7, PROFILE, SETTINGS)
            .seen(1000, PROFILE, "t1", 7)
            .end(end);

    assertThat(found).hasSize(declared ? 1 : 0);
  }

  @ParameterizedTest
  @CsvSource({"2999, 0", "3000, 0", "3001, 1"})
  void shouldCountASideThatLandsUpToTheDeadline(long lands, int incidents) {
    List<Replay.Found> found =
        HistoryText.ofCases()
            .intent(900, "t1", 7, PROFILE, SETTINGS)
            .seen(1000, PROFILE, "t1", 7)
            .seen(lands, SETTINGS, "t1", 7)
            .end(200_000);

    assertThat(found).hasSize(incidents);
    assertThat(found).allMatch(f -> f.incident().phase == Incident.Phase.HEALED);
  }

  @ParameterizedTest
  @CsvSource({"14999, 0", "15000, 1", "15001, 1"})
  void shouldWaitTheTtlToleranceAfterAnExpiry(long end, int incidents) {
    List<Replay.Found> found =
        HistoryText.ofCases()
            .seen(1000, PROFILE, "t1", 7)
            .seen(1000, SETTINGS, "t1", 7)
            .gone(10_000, PROFILE, "expired")
            .end(end);

    assertThat(found).hasSize(incidents);
  }

  @ParameterizedTest
  @CsvSource({"249, UNORDERED", "250, UNORDERED", "251, TORN_MISSING"})
  void shouldNotOrderTimestampsWithinTheSkew(long apart, Verdict verdict) {
    List<Replay.Found> found =
        HistoryText.ofCases()
            .seen(1000, "price:1:list", "t1", 5_000)
            .seen(1000, "price:1:sale", "t1", 5_000)
            .seen(1400, "price:1:sale", "t2", 5_000 + apart)
            .end(60_000);

    assertThat(found).singleElement().extracting(f -> f.incident().verdict).isEqualTo(verdict);
  }

  @ParameterizedTest
  @CsvSource({"2999, TORN_OVERWRITTEN", "3000, TORN_OVERWRITTEN", "3001, COLLISION"})
  void shouldNotTrustAnOrderThatWentBack(long intentAt, Verdict verdict) {
    List<Replay.Found> found =
        HistoryText.ofCases()
            .seen(1000, PROFILE, "t2", 8)
            .seen(1000, SETTINGS, "t2", 8)
            .intent(intentAt, "t1", 7, PROFILE, SETTINGS)
            .seen(intentAt + 10, PROFILE, "t1", 7)
            .end(60_000);

    assertThat(found).singleElement().extracting(f -> f.incident().verdict).isEqualTo(verdict);
  }

  @Test
  void shouldForgetAnInstanceThatWasSilentForItsMemory() {
    HistoryText history =
        HistoryText.ofCases()
            .seen(1000, PROFILE, "t2", 8)
            .seen(1000, SETTINGS, "t2", 8)
            .seen(1000 + 3_600_000, "user:9:profile", "x", 1)
            .seen(1000 + 3_600_000, "user:9:settings", "x", 1);

    assertThat(history.end(2000 + 3_600_000)).isEmpty();
  }
}
