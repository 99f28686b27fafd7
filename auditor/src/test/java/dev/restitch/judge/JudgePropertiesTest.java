package dev.restitch.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.restitch.judge.World.Delivery;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * Properties over simulated worlds. {@code -Drestitch.worlds=N} runs more of them; a failing seed
 * prints its story.
 */
class JudgePropertiesTest {

  private static final long WORLDS = Long.getLong("restitch.worlds", 2_000);
  private static final long FIRST = Long.getLong("restitch.seed", 1);

  @Test
  void shouldEndWithAnOpenIncidentExactlyWhereTheStoresAreTorn() {
    for (long seed = FIRST; seed < FIRST + WORLDS; seed++) {
      World world = new World(seed, Delivery.PLAIN);
      world.run();
      for (String instance : world.instances) {
        List<String> tears = new ReadAtomic(world).tears(instance);
        Incident open = open(world, instance);
        boolean torn = open != null && !open.verdict.aboutMarker();
        if (trusted(world, instance) && !new ReadAtomic(world).ambiguous(instance)) {
          assertThat(torn)
              .as(
                  "seed %d, %s torn: %s; declared: %s%n%s",
                  seed, instance, tears, open == null ? "nothing" : open.verdict, story(world))
              .isEqualTo(!tears.isEmpty());
        }
      }
    }
  }

  @Test
  void shouldJudgeTheSameWhenEvidenceIsDoubled() {
    compare(new Delivery(true, false, false));
  }

  @Test
  void shouldJudgeTheSameWhenEvidenceIsReorderedBetweenTimers() {
    compare(new Delivery(false, true, false));
  }

  @Test
  void shouldJudgeTheSameWhenRestartedAtEveryStep() {
    compare(new Delivery(false, false, true));
  }

  private static void compare(Delivery delivery) {
    for (long seed = FIRST; seed < FIRST + WORLDS; seed++) {
      World plain = new World(seed, Delivery.PLAIN);
      plain.run();
      World other = new World(seed, delivery);
      other.run();
      assertThat(verdicts(other, delivery))
          .as("seed %d, %s%n%s%n---%n%s", seed, delivery, story(plain), story(other))
          .isEqualTo(verdicts(plain, delivery));
    }
  }

  /**
   * All incidents; where evidence is reordered those that stay open, since an answer that comes in
   * between may see a tear that mends itself, or not.
   */
  private static List<String> verdicts(World world, Delivery delivery) {
    List<String> verdicts = new ArrayList<>();
    world.incidents.forEach(
        (instance, list) ->
            list.stream()
                .filter(i -> !delivery.shuffle() || !i.phase.closed())
                .map(i -> instance + " " + i.verdict + " " + i.stamp + i.behind + " " + i.phase)
                .forEach(verdicts::add));
    return verdicts;
  }

  private static Incident open(World world, String instance) {
    return world.incidents.get(instance).stream()
        .filter(i -> !i.phase.closed())
        .reduce((a, b) -> b)
        .orElse(null);
  }

  private static boolean trusted(World world, String instance) {
    InstanceState s = world.states.get(instance);
    return s == null || s.untrustedUntil < World.END;
  }

  private static String story(World world) {
    return String.join(System.lineSeparator(), world.log.stream().map(Objects::toString).toList());
  }
}
