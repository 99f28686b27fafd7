package dev.restitch.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.restitch.avro.Gap;
import dev.restitch.avro.Sweep;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DutiesTest {

  private static final long EVERY = 1_000;

  private final SweepBook book = new SweepBook();
  private final Duties duties = new Duties("east", book, true, Duration.ofMillis(EVERY));

  private void gap(String node, long offset) {
    book.gap(new Gap("g" + offset, "east", node, 0L, 1L, "test"), offset, 10 * offset);
  }

  private void swept(String node, long through, long startedAtMillis) {
    book.mark(
        Sweep.newBuilder()
            .setStore("east")
            .setNode(node)
            .setOwner("me")
            .setSweptThrough(through)
            .setLastStartedAtMillis(startedAtMillis)
            .build());
  }

  private Optional<Duty> next(List<String> owned, List<String> present, long now) {
    return duties.next(owned, present, name -> false, now);
  }

  private static List<String> names(String... nodes) {
    return List.of(nodes).stream().map(node -> "east/" + node).toList();
  }

  @Test
  void shouldWorkThroughTheOldestGapFirst() {
    gap("b:1", 3);
    gap("a:1", 5);
    swept("c:1", -1, 0);

    assertThat(next(names("a:1", "b:1", "c:1"), names("a:1", "b:1", "c:1"), 9_999))
        .contains(new Duty("east/b:1", true, 5));
    swept("b:1", 5, 1);
    assertThat(next(names("a:1", "b:1", "c:1"), names("a:1", "b:1", "c:1"), 9_999))
        .contains(new Duty("east/a:1", true, 5));
    assertThat(book.closed("east/b:1")).isEqualTo(1);
  }

  @Test
  void shouldLeaveGapsOfOthersNodesToThem() {
    gap("b:1", 3);
    swept("a:1", -1, 9_999);

    assertThat(next(names("a:1"), names("a:1", "b:1"), 10_000)).isEmpty();
  }

  @Test
  void shouldNotCloseAGapThatCameAfterTheSweepBegan() {
    gap("a:1", 3);
    gap("a:1", 4);
    swept("a:1", 3, 0);

    assertThat(book.open("east/a:1")).extracting(SweepBook.OpenGap::offset).containsExactly(4L);
    assertThat(next(names("a:1"), names("a:1"), 0)).contains(new Duty("east/a:1", true, 4));
  }

  @Test
  void shouldSweepEveryPrimaryForAGapOfANodeThatIsGone() {
    gap("gone:1", 7);
    swept("a:1", -1, 0);
    swept("b:1", -1, 0);
    List<String> present = names("a:1", "b:1");

    assertThat(next(present, present, 0)).contains(new Duty("east/a:1", true, 7));
    swept("a:1", 7, 0);
    assertThat(book.open("east/gone:1")).hasSize(1);
    assertThat(next(present, present, 0)).contains(new Duty("east/b:1", true, 7));
    swept("b:1", 7, 0);
    assertThat(next(present, present, 0)).isEmpty();
    assertThat(book.open("east/gone:1")).isEmpty();
    assertThat(book.closed("east/gone:1")).isEqualTo(1);
  }

  @Test
  void shouldNotTakeANodeForSweptWhileNoPrimaryIsKnown() {
    gap("gone:1", 7);

    assertThat(next(List.of(), List.of(), 0)).isEmpty();
    assertThat(book.open("east/gone:1")).hasSize(1);
  }

  @Test
  void shouldSweepInTheBackgroundWhoeverWaitsLongestAndNotTooOften() {
    swept("a:1", -1, 100);
    swept("b:1", -1, 50);
    List<String> both = names("a:1", "b:1");

    assertThat(next(both, both, 50 + EVERY - 1)).isEmpty();
    assertThat(next(both, both, 50 + EVERY)).contains(new Duty("east/b:1", false, -1));
    assertThat(next(both, both, 50 + EVERY + 1)).contains(new Duty("east/b:1", false, -1));
    assertThat(duties.next(both, both, "east/a:1"::equals, 0))
        .contains(new Duty("east/a:1", false, -1));
  }

  @Test
  void shouldSweepGapsOnlyWhereTheBackgroundIsOff() {
    Duties gapsOnly = new Duties("east", book, false, Duration.ofMillis(EVERY));
    List<String> one = names("a:1");

    assertThat(gapsOnly.next(one, one, name -> false, 1L << 40)).isEmpty();
    gap("a:1", 0);
    assertThat(gapsOnly.next(one, one, name -> false, 0)).isPresent();
  }

  @Test
  void shouldTakeMarksAndGapsInAnyOrder() {
    swept("a:1", 4, 0);
    book.gapsRead(5);
    gap("a:1", 3);
    gap("a:1", 5);

    assertThat(book.open("east/a:1")).extracting(SweepBook.OpenGap::offset).containsExactly(5L);
    assertThat(book.closed("east/a:1")).isEqualTo(1);
  }

  @Test
  void shouldNotTrustOffsetsOfATopicThatWasMadeAnew() {
    swept("a:1", 400, 0);
    gap("a:1", 0);

    assertThat(book.open("east/a:1")).hasSize(1);
  }
}
