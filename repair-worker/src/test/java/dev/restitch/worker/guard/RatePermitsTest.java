package dev.restitch.worker.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.restitch.config.ConfigLoader;
import dev.restitch.config.RelationConfig;
import dev.restitch.control.ControlBook;
import dev.restitch.control.Directive;
import dev.restitch.control.Scope;
import dev.restitch.control.Setting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RatePermitsTest {

  private static final Map<String, RelationConfig> RELATIONS =
      ConfigLoader.parse(
              """
              stores:
                east: { uri: "redis://localhost:7001" }
                west: { uri: "redis://localhost:7002" }
              relations:
                user:
                  sides:
                    a: { store: east, key: "user:{id}:a" }
                    b: { store: west, key: "user:{id}:b" }
                  stamp: "{version}:{token}:{payload}"
                  rate: 10
                  concurrency: 3
                other:
                  sides: { a: { store: east, key: "other:{id}" } }
                  stamp: "{version}:{token}:{payload}"
                  rate: 10
              """,
              Map.of())
          .relations();
  private static final RelationConfig USER = RELATIONS.get("user");
  private static final RelationConfig OTHER = RELATIONS.get("other");

  private record Task(long at, Runnable run) {}

  private final AtomicLong now = new AtomicLong(77);
  private final PriorityQueue<Task> tasks = new PriorityQueue<>(Comparator.comparingLong(Task::at));
  private final ControlBook book = new ControlBook();
  private double share = 1;
  private final RatePermits permits =
      new RatePermits(new Limits(book, () -> share), now::get, this::after);

  @Test
  void shouldLetRepairsPassAtTheRateOfTheirRelation() {
    List<CompletableFuture<RatePermits.Slot>> all = acquire(USER, 30, "east");

    pass(Duration.ofMillis(950));

    assertThat(done(all)).isEqualTo(10);
    assertThat(permits.waiting()).isEqualTo(20);
  }

  @Test
  void shouldGiveEachWorkerItsShareOfTheRate() {
    share = 0.5;
    List<CompletableFuture<RatePermits.Slot>> all = acquire(USER, 30, "east");

    pass(Duration.ofMillis(1_950));

    assertThat(done(all)).isEqualTo(10);
  }

  @Test
  void shouldChangeTheRateForThoseWhoWait() {
    List<CompletableFuture<RatePermits.Slot>> all = acquire(USER, 200, "east");
    pass(Duration.ofMillis(950));
    assertThat(done(all)).isEqualTo(10);

    set(Setting.RATE, Scope.relation("user"), "100");
    pass(Duration.ofMillis(1_000));

    assertThat(done(all)).isBetween(108, 116);
    set(Setting.RATE, Scope.relation("user"), "1");
    int before = done(all);
    pass(Duration.ofMillis(5_000));
    assertThat(done(all) - before).isBetween(4, 6);
  }

  @Test
  void shouldHoldAllRelationsToTheRateOfAStore() {
    set(Setting.RATE, Scope.store("east"), "5");
    List<CompletableFuture<RatePermits.Slot>> all = acquire(USER, 20, "east");
    all.addAll(acquire(OTHER, 20, "east"));
    List<CompletableFuture<RatePermits.Slot>> west = acquire(USER, 20, "west");

    pass(Duration.ofMillis(1_950));

    assertThat(done(all)).isEqualTo(10);
    assertThat(done(west)).isEqualTo(20);
  }

  @Test
  void shouldTakeTheRateOfEveryStoreWhereAStoreHasNone() {
    set(Setting.RATE, Scope.EVERYWHERE, "2");
    set(Setting.RATE, Scope.store("west"), "4");
    List<CompletableFuture<RatePermits.Slot>> east = acquire(USER, 20, "east");
    List<CompletableFuture<RatePermits.Slot>> west = acquire(USER, 20, "west");

    pass(Duration.ofMillis(1_900));

    assertThat(done(east)).isEqualTo(4);
    assertThat(done(west)).isEqualTo(8);
  }

  @Test
  void shouldNotLetOthersPassWhoWaitAtTheSameGate() {
    acquire(USER, 1, "east");
    CompletableFuture<RatePermits.Slot> both = acquire(USER, 1, "east", "west").get(0);
    List<CompletableFuture<RatePermits.Slot>> west = acquire(USER, 30, "west");

    pass(Duration.ofMillis(99));
    assertThat(both).isNotDone();
    assertThat(done(west)).isZero();

    pass(Duration.ofMillis(1));
    assertThat(both).isCompleted();
  }

  @Test
  void shouldLetOnlySoManyBeInProgress() {
    set(Setting.RATE, Scope.relation("user"), "1000");
    List<CompletableFuture<RatePermits.Slot>> all = enter(5);
    pass(Duration.ofSeconds(1));
    assertThat(done(all)).isEqualTo(3);
    assertThat(permits.inside()).isEqualTo(3);

    RatePermits.Slot slot = all.get(0).join();
    slot.leave();
    slot.leave();
    pass(Duration.ofMillis(10));

    assertThat(done(all)).isEqualTo(4);
    assertThat(permits.inside()).isEqualTo(3);
    set(Setting.CONCURRENCY, Scope.store("east"), "4");
    set(Setting.CONCURRENCY, Scope.relation("user"), "9");
    pass(Duration.ofMillis(10));
    assertThat(done(all)).isEqualTo(5);
  }

  @Test
  void shouldTurnAwayAtOnceAndWithoutATurnWhoMayNotGoOn() {
    List<CompletableFuture<RatePermits.Slot>> first = acquire(USER, 1, "east");
    RuntimeException why = new IllegalStateException("paused");
    List<CompletableFuture<RatePermits.Slot>> refused = new ArrayList<>();
    boolean[] paused = {false};
    for (int i = 0; i < 500; i++) {
      refused.add(
          permits
              .enter(USER, List.of("east"), () -> paused[0] ? Optional.of(why) : Optional.empty())
              .toCompletableFuture());
    }
    paused[0] = true;

    permits.reconsider();

    assertThat(first.get(0)).isCompleted();
    assertThat(refused).allMatch(CompletableFuture::isCompletedExceptionally);
    assertThat(permits.waiting()).isZero();
    CompletableFuture<RatePermits.Slot> next = acquire(USER, 1, "east").get(0);
    pass(Duration.ofMillis(100));
    assertThat(next).isCompleted();
  }

  private List<CompletableFuture<RatePermits.Slot>> acquire(
      RelationConfig relation, int times, String... stores) {
    List<CompletableFuture<RatePermits.Slot>> all = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      all.add(permits.acquire(relation, List.of(stores)).toCompletableFuture());
    }
    return all;
  }

  private List<CompletableFuture<RatePermits.Slot>> enter(int times) {
    List<CompletableFuture<RatePermits.Slot>> all = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      all.add(permits.enter(USER, List.of("east"), Optional::empty).toCompletableFuture());
    }
    return all;
  }

  private static int done(List<CompletableFuture<RatePermits.Slot>> all) {
    return (int) all.stream().filter(CompletableFuture::isDone).count();
  }

  private void set(Setting setting, Scope scope, String value) {
    book.put(new Directive(setting, scope, value, "test", "test", 0));
    permits.reconsider();
  }

  private Executor after(Duration delay) {
    return run -> tasks.add(new Task(now.get() + delay.toNanos(), run));
  }

  private void pass(Duration time) {
    long end = now.get() + time.toNanos();
    while (!tasks.isEmpty() && tasks.peek().at() <= end) {
      Task task = tasks.poll();
      now.set(Math.max(now.get(), task.at()));
      task.run().run();
    }
    now.set(end);
  }
}
