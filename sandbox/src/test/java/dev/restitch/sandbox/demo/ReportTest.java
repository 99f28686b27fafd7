package dev.restitch.sandbox.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.restitch.sandbox.workload.Discrepancy;
import dev.restitch.sandbox.workload.Ledger;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReportTest {

  private final Ledger nothingTorn = new Ledger(instance -> {});

  @Test
  void shouldPassWhenNothingWasTornAndTheStoresAreTheTruth() {
    assertThat(report(List.of(), List.of()).passed()).isTrue();
    assertThat(ReportText.of(report(List.of(), List.of()))).endsWith("PASSED\n");
  }

  @Test
  void shouldFailWhenAStoreDiffersFromTheTruth() {
    Report report = report(List.of(new Discrepancy("user/1", false, "is absent")), List.of());
    assertThat(report.passed()).isFalse();
    assertThat(report.total().left()).isZero();
    assertThat(ReportText.of(report)).contains("differs: user/1 is absent").endsWith("FAILED\n");
  }

  @Test
  void shouldCountTornInstancesAsLeft() {
    Report report = report(List.of(new Discrepancy("user/1", true, "has one side")), List.of());
    assertThat(report.total().left()).isEqualTo(1);
    assertThat(report.passed()).isFalse();
  }

  @Test
  void shouldFailWhenSomethingElseWentWrong() {
    Report report = report(List.of(), List.of("auditor died"));
    assertThat(report.passed()).isFalse();
    assertThat(ReportJson.of(report)).contains("\"passed\":false", "auditor died");
  }

  private Report report(List<Discrepancy> discrepancies, List<String> problems) {
    return Report.of(7, 100, 1.5, nothingTorn, discrepancies, problems);
  }
}
