package dev.restitch.worker.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.restitch.avro.Intent;
import dev.restitch.avro.Outcome;
import dev.restitch.avro.Policy;
import dev.restitch.avro.Write;
import dev.restitch.avro.WriteOp;
import dev.restitch.config.ConfigLoader;
import dev.restitch.config.Relations;
import dev.restitch.model.Bytes;
import dev.restitch.model.Verdict;
import dev.restitch.worker.Commands;
import dev.restitch.worker.apply.SideStore;
import dev.restitch.worker.truth.TruthException;
import dev.restitch.writer.io.Stages;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is decided before any store is asked. */
class RollForwardTest {

  private static final Relations RELATIONS =
      ConfigLoader.parse(
              """
              kafka: { bootstrap.servers: "h:1" }
              registry: { url: "http://h:1" }
              stores: { east: { uri: "redis://h:1" } }
              relations:
                when:
                  sides:
                    one: { store: east, key: "one:{id}" }
                    two: { store: east, key: "two:{id}" }
                  stamp: "{timestamp}:{token}:{payload}"
                  version: { order: timestamp, max-skew: 40ms }
                  writes: some
                  repair: [ { policy: roll-forward } ]
              """,
              Map.of())
          .resolver();

  private static final long TORN = 1_000;

  /** No store is asked: whoever asks it fails. */
  private static final SideStore UNASKED =
      (SideStore)
          Proxy.newProxyInstance(
              SideStore.class.getClassLoader(),
              new Class<?>[] {SideStore.class},
              (proxy, method, arguments) -> {
                throw new AssertionError("a store was asked to " + method.getName());
              });

  @ParameterizedTest
  @CsvSource({"960", "1000", "1040"})
  void shouldNotOverwriteWhatNothingOrders(long standing) {
    assertThat(stopped(standing)).isEqualTo(Outcome.FAILED);
  }

  @Test
  void shouldLeaveWhatIsNewer() {
    assertThat(stopped(1_041)).isEqualTo(Outcome.SUPERSEDED);
  }

  private static Outcome stopped(long standing) {
    RepairOrder order =
        RepairOrder.of(
            Commands.of("when/1", Policy.ROLL_FORWARD, Verdict.TORN_MISSING)
                .torn(TORN, "t")
                .stamped("east", "one:1", TORN, "t")
                .stamped("east", "two:1", standing, "other")
                .behind("east", "two:1")
                .builder()
                .setIntentPartition(0)
                .setIntentOffset(0L)
                .build(),
            RELATIONS);
    Write write =
        Write.newBuilder()
            .setStore("east")
            .setKey(Bytes.utf8("two:1").toBuffer())
            .setOp(WriteOp.PUT)
            .setPayload(Bytes.utf8("payload").toBuffer())
            .build();
    Intent intent =
        Intent.newBuilder()
            .setToken(Bytes.utf8("t").toBuffer())
            .setVersion(TORN)
            .setWrites(List.of(write))
            .setCreatedAtMillis(0)
            .build();
    RollForward policy =
        new RollForward(
            UNASKED,
            (partition, offset) -> CompletableFuture.completedStage(intent),
            reference -> CompletableFuture.failedStage(new TruthException("none")));
    return policy
        .mend(order)
        .handle((repair, failure) -> ((RepairStopped) Stages.cause(failure)).outcome())
        .toCompletableFuture()
        .join();
  }
}
