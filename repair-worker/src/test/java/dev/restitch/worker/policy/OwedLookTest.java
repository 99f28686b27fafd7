package dev.restitch.worker.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.restitch.avro.Outcome;
import dev.restitch.avro.Policy;
import dev.restitch.avro.RepairCommand;
import dev.restitch.config.Relations.Side;
import dev.restitch.config.RestitchConfig;
import dev.restitch.control.ControlBook;
import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import dev.restitch.model.Verdict;
import dev.restitch.stamp.Stamp;
import dev.restitch.worker.Commands;
import dev.restitch.worker.Configs;
import dev.restitch.worker.apply.Held;
import dev.restitch.worker.apply.Payload;
import dev.restitch.worker.apply.SideStore;
import dev.restitch.worker.apply.Standing;
import dev.restitch.worker.guard.GenerationCap;
import dev.restitch.worker.guard.Limits;
import dev.restitch.worker.guard.RatePermits;
import dev.restitch.worker.truth.Truth;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What is owed to a rewrite whose worker died, or whose time was up, before its second look. */
class OwedLookTest {

  private static final RestitchConfig CONFIG =
      Configs.of("redis://h:1", "redis://h:2", "jdbc:postgresql://h/db");
  private static final StoreKey PROFILE = new StoreKey("east", Bytes.utf8("user:1:profile"));
  private static final StoreKey SETTINGS = new StoreKey("west", Bytes.utf8("user:1:settings"));

  private final Map<StoreKey, Stamp> standing = new HashMap<>();
  private final RepairCommand command =
      Commands.of("user/1", Policy.SOURCE_OF_TRUTH, Verdict.TORN_MISSING)
          .torn(7, "t7")
          .stamped("east", "user:1:profile", 7L, "t7")
          .stamped("west", "user:1:settings", 6L, "t6")
          .behind("west", "user:1:settings")
          .build();
  private final RepairOrder order = RepairOrder.of(command, CONFIG.resolver());
  private final Stamp own = new Stamp(8L, new RewriteTokens(command.getId()).of(0));

  @Test
  void shouldOweNothingWhereNothingOfTheCommandStands() {
    standing.put(PROFILE, new Stamp(7L, Bytes.utf8("t7")));
    standing.put(SETTINGS, new Stamp(6L, Bytes.utf8("t6")));

    assertThat(owed("p", "s")).isEmpty();
  }

  @Test
  void shouldOweNothingWhereASideIsAnothersSoThatTheJudgeSeesTheTear() {
    standing.put(PROFILE, own);
    standing.put(SETTINGS, new Stamp(6L, Bytes.utf8("t6")));

    assertThat(owed("p", "s")).isEmpty();
  }

  @Test
  void shouldOweALookOneSettleTimeLaterWhereTheRewriteStandsEverywhere() {
    standing.put(PROFILE, own);
    standing.put(SETTINGS, own);

    Repair.FollowUp look = owed("p", "s").orElseThrow();

    assertThat(look.after()).isEqualTo(order.relation().settle());
    Repair seen = look.look().get().toCompletableFuture().join();
    assertThat(seen.outcome()).isEqualTo(Outcome.ALREADY);
    assertThat(seen.followUp()).isEmpty();
  }

  @Test
  void shouldLeaveToOthersWhatTheyHaveWrittenBeforeTheLook() {
    standing.put(PROFILE, own);
    standing.put(SETTINGS, own);
    Repair.FollowUp look = owed("p", "s").orElseThrow();

    standing.put(PROFILE, new Stamp(9L, Bytes.utf8("t9")));

    assertThat(look.look().get().toCompletableFuture().join().outcome()).isEqualTo(Outcome.ALREADY);
  }

  private Optional<Repair.FollowUp> owed(String... truth) {
    SideStore sides =
        (SideStore)
            Proxy.newProxyInstance(
                SideStore.class.getClassLoader(),
                new Class<?>[] {SideStore.class},
                (proxy, method, arguments) ->
                    CompletableFuture.completedStage(
                        answer(method.getName(), ((Side) arguments[0]).key())));
    return new SourceOfTruth(
            sides,
            (relation, instance, floor) -> {
              throw new AssertionError("a version was minted");
            },
            Map.of(
                "users-db",
                (relation, instance) ->
                    CompletableFuture.completedStage(
                        new Truth(
                            List.of(
                                Optional.of(Bytes.utf8(truth[0])),
                                Optional.of(Bytes.utf8(truth[1])))))),
            new GenerationCap(Clock.systemUTC()),
            new RatePermits(
                new Limits(new ControlBook(), () -> 1.0), System::nanoTime, delay -> Runnable::run),
            new RewriteIntents((topic, key, value) -> null, "test", Clock.systemUTC()))
        .owed(order)
        .toCompletableFuture()
        .join();
  }

  private Object answer(String method, StoreKey key) {
    Standing now = new Standing(true, Optional.of(standing.get(key)));
    return switch (method) {
      case "read" -> now;
      case "hold" -> new Held(now, new Payload.Value(Bytes.utf8(payload(key))), -1);
      default -> throw new AssertionError("a store was asked to " + method);
    };
  }

  private static String payload(StoreKey key) {
    return key.equals(PROFILE) ? "p" : "s";
  }
}
