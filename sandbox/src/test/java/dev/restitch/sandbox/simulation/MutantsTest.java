package dev.restitch.sandbox.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A simulation that cannot fail proves nothing: what is broken on purpose must be found. */
class MutantsTest {

  private static final int WITHIN = 1500;

  @BeforeAll
  static void hush() {
    SimulationTest.hush();
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "REFUSED_AND_FORGOTTEN")
  void shouldFindWhatIsBrokenOnPurpose(Mutation mutation) {
    for (long seed = 1; seed <= WITHIN; seed++) {
      List<String> violations = new World(seed, new Story(false), Set.of(mutation)).run();
      if (!violations.isEmpty()) {
        System.out.printf("%s is found by seed %d: %s%n", mutation, seed, violations.get(0));
        return;
      }
    }
    assertThat(mutation).as("was not found within " + WITHIN + " schedules").isNull();
  }
}
