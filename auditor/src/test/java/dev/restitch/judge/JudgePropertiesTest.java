package dev.restitch.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.restitch.judge.World.Delivery;
import dev.restitch.model.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Properties over simulated worlds. {@code -Drestitch.worlds=N} runs more of them; a failing seed
 * prints its story.
 */
class JudgePropertiesTest {

  private static final long WORLDS = Long.getLong("restitch.worlds", 2_000);
  private static final long FIRST = Long.getLong("restitch.seed", 1);

  @Test
  void shouldEndWithTheVerdictThatTheModelGives() {
    Map<String, Integer> kinds = new TreeMap<>();
    List<String> wrong = new ArrayList<>();
    String first = "";
    int judged = 0;
    long transactions = 0;
    for (long seed = FIRST; seed < FIRST + WORLDS; seed++) {
      World world = new World(seed, Delivery.PLAIN);
      world.run();
      transactions += world.logical.size();
      for (String instance : world.instances) {
        Incident open = open(world, instance);
        if (!trusted(world, instance) || new ReadAtomic(world, instance, World.END).ambiguous()) {
          kinds.merge("not compared", 1, Integer::sum);
          continue;
        }
        VerdictOracle oracle = new VerdictOracle(world, instance);
        Optional<Verdict> expected = oracle.expected();
        kinds.merge(expected.map(Verdict::name).orElse("WHOLE"), 1, Integer::sum);
        judged++;
        Optional<Verdict> declared = Optional.ofNullable(open).map(i -> i.verdict);
        boolean untold =
            oracle.collides() && world.instances.stream().allMatch(i -> open(world, i) == null);
        boolean right = oracle.leftOpen() || oracle.allowed().contains(declared);
        if (!right || untold) {
          first = wrong.isEmpty() ? story(world) : first;
          wrong.add("[seed %d] %s: %s, not %s".formatted(seed, instance, declared, expected));
        }
      }
    }
    report(
        "transactions %d, instances judged %d, wrongly %d: %s"
            .formatted(transactions, judged, wrong.size(), kinds));
    assertThat(wrong).as("the first story:%n%s", first).isEmpty();
    if (WORLDS >= 2_000) {
      assertThat(kinds.keySet()).as("what the worlds show").containsAll(SHOWN);
    }
  }

  @Test
  void shouldNotDeclareWhatWasWholeWhenItWasRead() {
    int alarms = 0;
    for (long seed = FIRST; seed < FIRST + WORLDS; seed++) {
      World world = new World(seed, Delivery.PLAIN);
      world.run();
      for (World.Alarm alarm : world.declaredAt) {
        alarms++;
        boolean open = new ReadAtomic(world, alarm.instance(), World.END).ambiguous();
        if (UNTORN.contains(alarm.verdict()) || !alarm.trusted() || open) {
          continue;
        }
        ReadAtomic then = new ReadAtomic(world, alarm.instance(), alarm.readAt());
        assertThat(!then.torn().isEmpty() || contested(alarm.verdict()))
            .as("[seed %d] %s%n%s", seed, alarm, story(world))
            .isTrue();
      }
    }
    report("declarations checked " + alarms);
    assertThat(alarms).isPositive();
  }

  @Test
  void shouldDeclareNothingWhereOnlyTheEvidenceIsUntidy() {
    for (long seed = FIRST; seed < FIRST + WORLDS; seed++) {
      World world = new World(seed, Delivery.PLAIN, true);
      world.run();
      List<Verdict> declared =
          world.incidents.values().stream()
              .flatMap(List::stream)
              .map(i -> i.verdict)
              .filter(v -> v != Verdict.INDETERMINATE && !v.aboutMarker())
              .toList();
      assertThat(declared).as("[seed %d]%n%s", seed, story(world)).isEmpty();
    }
  }

  @Test
  void shouldForgetEverythingButOpenIncidentsAfterItsMemory() {
    for (long seed = FIRST; seed < FIRST + WORLDS / 4; seed++) {
      World world = new World(seed, Delivery.PLAIN);
      world.run();
      world.waitFor(3 * world.relation.memory().toMillis());
      for (String instance : world.instances) {
        InstanceState s = world.states.get(instance);
        assertThat(s == null || s.incident != null)
            .as("[seed %d] %s%n%s", seed, instance, story(world))
            .isTrue();
      }
    }
  }

  @Test
  void shouldDeclareAnIncidentOnceAndNeverFlap() {
    for (long seed = FIRST; seed < FIRST + WORLDS; seed++) {
      World world = new World(seed, Delivery.PLAIN);
      world.run();
      world.incidents.forEach(
          (instance, incidents) -> {
            assertThat(incidents.stream().filter(i -> !i.phase.closed()).count())
                .isLessThanOrEqualTo(1);
            assertThat(incidents.stream().map(i -> i.id).distinct().count())
                .isEqualTo(incidents.size());
            assertThat(incidents.size())
                .as("[seed %d] %s%n%s", world.number(), instance, story(world))
                .isLessThanOrEqualTo(3 * world.logical.size() + 3);
          });
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

  private static void report(String totals) {
    if (System.getProperty("restitch.worlds") != null) {
      System.out.println(totals);
    }
  }

  /** What a generator that went blind would no longer make. */
  private static final Set<String> SHOWN =
      Set.of(
          "COLLISION",
          "FOREIGN_WRITE",
          "TORN_ROLLED_BACK",
          "UNORDERED",
          "SIDE_EVICTED",
          "SIDE_EXPIRED",
          "SIDE_DELETED",
          "TORN_CROSSED",
          "COMMITTED_TORN",
          "TORN_OVERWRITTEN",
          "UNCOMMITTED",
          "TORN_MISSING",
          "LOG_HOLE",
          "DIVERGED",
          "MARKER_EXPIRED",
          "MARKER_MISSING",
          "UNCLAIMED",
          "WHOLE");

  private static final Set<Verdict> UNTORN =
      Set.of(Verdict.INDETERMINATE, Verdict.DIVERGED, Verdict.UNCLAIMED);

  private static boolean contested(Verdict verdict) {
    return verdict == Verdict.UNORDERED || verdict == Verdict.COLLISION;
  }

  private static void compare(Delivery delivery) {
    for (long seed = FIRST; seed < FIRST + WORLDS; seed++) {
      World plain = new World(seed, Delivery.PLAIN);
      plain.run();
      World other = new World(seed, delivery);
      other.run();
      if (delivery.shuffle() && !(trusted(plain) && trusted(other))) {
        continue; // whether an order went back is told by what came first
      }
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
                .map(i -> instance + named(i, delivery) + i.behind + i.phase)
                .forEach(verdicts::add));
    return verdicts;
  }

  /**
   * Where evidence is reordered, asks are made at other times and see other moments: what may have
   * been seen on a side before, or a marker's end, can then differ, but not what is behind.
   */
  private static String named(Incident i, Delivery delivery) {
    return delivery.shuffle() ? "" : " " + i.verdict + " " + i.stamp;
  }

  private static Incident open(World world, String instance) {
    return world.incidents.get(instance).stream()
        .filter(i -> !i.phase.closed())
        .reduce((a, b) -> b)
        .orElse(null);
  }

  private static boolean trusted(World world) {
    return world.instances.stream().allMatch(i -> trusted(world, i));
  }

  private static boolean trusted(World world, String instance) {
    InstanceState s = world.states.get(instance);
    return s == null || s.untrustedUntil < World.END;
  }

  private static String story(World world) {
    return String.join(System.lineSeparator(), world.log.stream().map(Objects::toString).toList());
  }
}
