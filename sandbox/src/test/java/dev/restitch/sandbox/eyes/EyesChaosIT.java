package dev.restitch.sandbox.eyes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.restitch.sandbox.server.Lifetime;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A short form of {@code restitch chaos}; each kind of fault has tests of its own beside it. */
class EyesChaosIT {

  @Test
  void shouldMissNothingAndDeclareNothingFalseWhateverBlindsIt() throws Exception {
    Plan plan =
        new Plan(
            List.of(Fault.PRIMARY_KILLED, Fault.AUDITOR_KILLED, Fault.LOSS_50),
            40,
            0.1,
            Duration.ofMillis(1_000),
            7);
    List<Row> rows;
    try (Lifetime lifetime = Lifetime.begin()) {
      rows = new EyesChaos(plan, lifetime, line -> {}).run();
    }

    assertThat(rows)
        .allSatisfy(row -> assertThat(row.right()).as(ChaosReport.table(rows)).isTrue());
    Row killed = rows.get(0);
    // no notification tells of what a failover lost
    assertThat(killed.found(Way.SWEEP) + killed.found(Way.GAP)).isPositive();
    Row lossy = rows.get(2);
    assertThat(lossy.lost()).isPositive();
    assertThat(lossy.found(Way.SWEEP)).isPositive();
  }
}
