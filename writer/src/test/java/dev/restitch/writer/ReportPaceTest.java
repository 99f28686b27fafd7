package dev.restitch.writer;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReportPaceTest {

  private static final long SETTLE = Duration.ofSeconds(2).toNanos();

  @ParameterizedTest
  @CsvSource({"1999, false", "2000, true", "2001, true"})
  void shouldLetOneReportOfAnInstancePassEachSettleTime(long afterMillis, boolean passes) {
    ReportPace pace = new ReportPace(10);
    assertThat(pace.pass("user/1", 5, SETTLE)).isTrue();

    assertThat(pace.pass("user/1", 5 + Duration.ofMillis(afterMillis).toNanos(), SETTLE))
        .isEqualTo(passes);
  }

  @Test
  void shouldNotCountFromAReportThatWasHeldBack() {
    ReportPace pace = new ReportPace(10);
    assertThat(pace.pass("user/1", 0, SETTLE)).isTrue();
    assertThat(pace.pass("user/1", SETTLE - 1, SETTLE)).isFalse();

    assertThat(pace.pass("user/1", SETTLE, SETTLE)).isTrue();
  }

  @Test
  void shouldNotHoldOtherInstancesBack() {
    ReportPace pace = new ReportPace(10);
    assertThat(pace.pass("user/1", 0, SETTLE)).isTrue();

    assertThat(pace.pass("user/2", 0, SETTLE)).isTrue();
  }

  @Test
  void shouldForgetTheOldestWhereThereAreTooMany() {
    ReportPace pace = new ReportPace(2);
    assertThat(pace.pass("user/1", 0, SETTLE)).isTrue();
    assertThat(pace.pass("user/2", 1, SETTLE)).isTrue();
    assertThat(pace.pass("user/3", 2, SETTLE)).isTrue();

    assertThat(pace.pass("user/3", 3, SETTLE)).isFalse();
    assertThat(pace.pass("user/2", 3, SETTLE)).isFalse();
    assertThat(pace.pass("user/1", 3, SETTLE)).isTrue();
  }
}
