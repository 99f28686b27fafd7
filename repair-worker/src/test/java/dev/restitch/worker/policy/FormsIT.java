package dev.restitch.worker.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.restitch.avro.Outcome;
import dev.restitch.avro.Policy;
import dev.restitch.config.RestitchConfig;
import dev.restitch.store.StoreClient;
import dev.restitch.store.StoreClients;
import dev.restitch.worker.Form;
import dev.restitch.worker.FormsConfig;
import dev.restitch.worker.TestRedis;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What stands on a side of each form after a repair. */
class FormsIT {

  private static TestRedis server;
  private static Map<String, StoreClient> stores;
  private static Mending mending;
  private static RedisCommands<String, String> redis;

  @BeforeAll
  static void startServer() {
    server = new TestRedis();
    String store = "{ uri: \"" + server.uri() + "\" }";
    RestitchConfig config = FormsConfig.of(store, store);
    stores = StoreClients.openAll(config, "forms-test");
    mending = new Mending(config);
    redis = server.commands();
  }

  @AfterAll
  static void stopServer() {
    mending.close();
    stores.values().forEach(StoreClient::close);
    server.close();
  }

  @BeforeEach
  void clean() {
    redis.flushall();
  }

  @ParameterizedTest
  @EnumSource(
      value = Policy.class,
      names = {"ACCEPT_NEWEST", "ROLL_FORWARD", "SOURCE_OF_TRUTH"})
  void shouldWriteAllFieldsOfAHashRemoveTheOthersAndKeepItsTimeToLive(Policy policy) {
    Torn torn = torn("card", Form.HASH, policy, false);
    redis.hset(torn.two(), "stale", "field");
    redis.pexpire(torn.two(), 60_000);

    assertThat(mending.mend(torn, stores).outcome()).isEqualTo(Outcome.APPLIED);

    Map<String, String> one = redis.hgetall(torn.one());
    assertThat(redis.hgetall(torn.two())).isEqualTo(one).containsOnlyKeys("v", "t", "body");
    assertThat(redis.pttl(torn.two())).isBetween(50_000L, 60_000L);
  }

  @ParameterizedTest
  @EnumSource(
      value = Policy.class,
      names = {"ACCEPT_NEWEST", "ROLL_FORWARD", "SOURCE_OF_TRUTH"})
  void shouldGiveAnAbsentHashItsSiblingsTimeToLive(Policy policy) {
    Torn torn = torn("card", Form.HASH, policy, true);
    redis.pexpire(torn.one(), 60_000);

    assertThat(mending.mend(torn, stores).outcome()).isEqualTo(Outcome.APPLIED);

    assertThat(redis.hget(torn.two(), "body")).isEqualTo("new-payload");
    assertThat(redis.pttl(torn.two())).isBetween(50_000L, 60_000L);
  }

  @ParameterizedTest
  @EnumSource(
      value = Policy.class,
      names = {"ROLL_FORWARD", "SOURCE_OF_TRUTH"})
  void shouldAppendToASortedSetWithTheScoreThatWasMeant(Policy policy) {
    Torn torn = torn("rank", Form.ZSET, policy, false);
    redis.zadd(torn.two(), 90.0, "later:x");

    assertThat(mending.mend(torn, stores).outcome()).isEqualTo(Outcome.APPLIED);

    assertThat(redis.zscore(torn.two(), "new:new-payload")).isEqualTo(2.0);
    assertThat(redis.zrange(torn.two(), 0, -1))
        .containsExactly("old:old-payload", "new:new-payload", "later:x");
    assertThat(mending.mend(torn, stores).outcome()).isEqualTo(Outcome.ALREADY);
    assertThat(redis.zcard(torn.two())).isEqualTo(3);
  }

  @ParameterizedTest
  @EnumSource(
      value = Policy.class,
      names = {"ROLL_FORWARD", "SOURCE_OF_TRUTH"})
  void shouldAppendToAListOnceHoweverItGrowsMeanwhile(Policy policy) {
    Torn torn = torn("list", Form.LIST, policy, false);
    for (int i = 0; i < 300; i++) {
      redis.rpush(torn.two(), "more" + i + ":x");
    }

    assertThat(mending.mend(torn, stores).outcome()).isEqualTo(Outcome.APPLIED);
    assertThat(mending.mend(torn, stores).outcome()).isEqualTo(Outcome.ALREADY);

    assertThat(redis.lindex(torn.two(), -1)).isEqualTo("new:new-payload");
    assertThat(redis.llen(torn.two())).isEqualTo(302);
  }

  @Test
  void shouldNotAppendWhereWhatWasSeenIsGoneOrFarBack() {
    Torn torn = torn("list", Form.LIST, Policy.ROLL_FORWARD, false);
    redis.ltrim(torn.two(), 1, 0);
    redis.rpush(torn.two(), "other:x");
    assertThat(mending.mend(torn, stores).outcome()).isEqualTo(Outcome.CONFLICT);

    redis.lpush(torn.two(), "old:old-payload");
    for (int i = 0; i < 600; i++) {
      redis.rpush(torn.two(), "more" + i + ":x");
    }
    assertThat(mending.mend(torn, stores).outcome()).isEqualTo(Outcome.CONFLICT);
    assertThat(redis.llen(torn.two())).isEqualTo(602);
  }

  @ParameterizedTest
  @EnumSource(Form.class)
  void shouldNotTouchAKeyOfAnotherType(Form form) {
    String relation =
        Map.of(Form.STRING, "conf", Form.HASH, "card", Form.LIST, "list", Form.ZSET, "rank")
            .get(form);
    Torn torn = torn(relation, form, Policy.ROLL_FORWARD, false);
    redis.del(torn.two());
    redis.sadd(torn.two(), "a set");

    assertThat(mending.mend(torn, stores).outcome()).isEqualTo(Outcome.CONFLICT);
    assertThat(redis.smembers(torn.two())).containsExactly("a set");
  }

  @Test
  void shouldMakeAHashFromAStringByItsMapping() {
    Torn torn = new Torn("prof", Form.STRING, Policy.ACCEPT_NEWEST, true, "1");
    redis.set(
        torn.one(),
        "2:new:{\"id\":9007199254740993,\"prefs\":{\"theme\":\"dark\"},\"tags\":[\"a\"]}");

    Repair repair = mending.mend(torn, stores);

    assertThat(repair.outcome()).isEqualTo(Outcome.APPLIED);
    assertThat(redis.hgetall(torn.two()))
        .isEqualTo(
            Map.of(
                "v",
                "2",
                "t",
                "new",
                "theme",
                "dark",
                "id",
                "9007199254740993",
                "tags",
                "[\"a\"]"));
  }

  @Test
  void shouldWriteNothingWhereTheMappingHasNothingToMap() {
    Torn torn = new Torn("prof", Form.STRING, Policy.ACCEPT_NEWEST, true, "1");
    redis.set(torn.one(), "2:new:not JSON");

    Repair repair = mending.mend(torn, stores);

    assertThat(repair.outcome()).isEqualTo(Outcome.FAILED);
    assertThat(repair.detail()).isEqualTo("the payload that is to be mapped is not JSON");
    assertThat(redis.exists(torn.two())).isZero();
  }

  private static Torn torn(String relation, Form form, Policy policy, boolean absent) {
    Torn torn = new Torn(relation, form, policy, absent, "1");
    torn.tear(redis, redis);
    return torn;
  }
}
