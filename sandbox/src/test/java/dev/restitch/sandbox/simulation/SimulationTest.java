package dev.restitch.sandbox.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/**
 * The real judge and the real policies against a model of all the rest, where at every step chance
 * chooses who goes on. {@code -Drestitch.schedules=N} says how many schedules, {@code
 * -Drestitch.seed=S} which is the first; the same seed is the same schedule.
 */
class SimulationTest {

  private static final int SCHEDULES = Integer.getInteger("restitch.schedules", 2000);
  private static final long FIRST = Long.getLong("restitch.seed", 1);

  @BeforeAll
  static void hush() {
    // what a worker says of its retries is of no interest here
    ((Logger) LoggerFactory.getLogger("dev.restitch")).setLevel(Level.OFF);
    ((Logger) LoggerFactory.getLogger("restitch.operations")).setLevel(Level.OFF);
  }

  @Test
  void shouldKeepEveryRuleInEverySchedule() {
    Totals totals = new Totals();
    long begun = System.nanoTime();
    for (long seed = FIRST; seed < FIRST + SCHEDULES; seed++) {
      World world = new World(seed, new Story(false), Set.of());
      List<String> violations = world.run();
      if (!violations.isEmpty()) {
        fail(told(seed, Set.of()));
      }
      totals.add(world.totals);
    }
    System.out.printf(
        "simulation: %s, violations 0, %.1f s%n", totals, (System.nanoTime() - begun) / 1e9);
    assertThat(totals.tears).isPositive();
    assertThat(totals.commands).isPositive();
  }

  /** The same schedule once more, step by step. */
  static String told(long seed, Set<Mutation> mutations) {
    Story story = new Story(true);
    World world = new World(seed, story, mutations);
    List<String> violations = world.run();
    return "seed " + seed + ", " + world.plan + ":\n" + story + "\n" + violations;
  }
}
