package dev.restitch.writer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.restitch.config.Relations;
import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import org.junit.jupiter.api.Test;

class WritePlanTest {

  private static final byte[] PAYLOAD = {1};
  private final Relations relations =
      Configs.of("redis://localhost:7001", "redis://localhost:7002").resolver();

  @Test
  void shouldResolveEverySideToItsKey() {
    WritePlan plan = plan(user("7").put("profile", PAYLOAD).put("settings", PAYLOAD));

    assertThat(plan.writes())
        .extracting(KeyWrite::key)
        .containsExactly(key("east", "user:7:profile"), key("west", "user:7:settings"));
    assertThat(plan.instances()).containsOnlyKeys("user/7");
    assertThat(plan.counters()).containsExactly(key("east", "user:7:version"));
  }

  @Test
  void shouldRefuseToLeaveASideOutWhereAllAreWritten() {
    refused(user("7").put("profile", PAYLOAD), "leaves a side out");
  }

  @Test
  void shouldTakeADeletedSideForWritten() {
    assertThat(plan(user("7").put("profile", PAYLOAD).delete("settings")).writes()).hasSize(2);
  }

  @Test
  void shouldAllowASmallerWriteSetWhereTheRelationDoes() {
    assertThat(plan(WriteRequest.to("pay", "1").put("debit", PAYLOAD)).writes()).hasSize(1);
  }

  @Test
  void shouldCollectTheCountersOfEveryInstance() {
    WritePlan plan =
        plan(
            WriteRequest.to("pay", "1")
                .put("debit", PAYLOAD)
                .to("pay", "2")
                .put("credit", PAYLOAD)
                .to("doc", "3")
                .put("body", PAYLOAD)
                .put("index", PAYLOAD));

    assertThat(plan.counters())
        .containsExactly(key("west", "pay:1:version"), key("west", "pay:2:version"));
    assertThat(plan.byClock()).isFalse();
  }

  @Test
  void shouldRefuseWhatTheConfigurationDoesNotKnow() {
    refused(WriteRequest.to("nobody", "1").put("x", PAYLOAD), "no relation is named nobody");
    refused(WriteRequest.to("pay", "1").put("x", PAYLOAD), "pay has no side named x");
    refused(WriteRequest.to("pay", "1", "2").put("debit", PAYLOAD), "takes the ids [id]");
    refused(WriteRequest.to("pay", "1:2").put("debit", PAYLOAD), "has no ':'");
    refused(WriteRequest.to("pay", "").put("debit", PAYLOAD), "not empty");
  }

  @Test
  void shouldRefuseAKeyThatIsWrittenTwice() {
    refused(
        WriteRequest.to("pay", "1").put("debit", PAYLOAD).put("debit", PAYLOAD), "written twice");
  }

  @Test
  void shouldRefuseToSpanCounterAndClock() {
    refused(
        WriteRequest.to("pay", "1").put("debit", PAYLOAD).to("price", "1").put("tag", PAYLOAD),
        "cannot span");
  }

  @Test
  void shouldRefuseAFenceWithoutAVersion() {
    WriteRequest request =
        WriteRequest.to("doc", "1").put("body", PAYLOAD).put("index", PAYLOAD).build();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> WritePlan.of(request, relations, true))
        .withMessageContaining("begins with the version");
  }

  private static WriteRequest.Builder user(String id) {
    return WriteRequest.to("user", id);
  }

  private static StoreKey key(String store, String key) {
    return new StoreKey(store, Bytes.utf8(key));
  }

  private WritePlan plan(WriteRequest.Builder request) {
    return WritePlan.of(request.build(), relations, false);
  }

  private void refused(WriteRequest.Builder request, String why) {
    assertThatIllegalArgumentException().isThrownBy(() -> plan(request)).withMessageContaining(why);
  }
}
