package dev.restitch.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.restitch.judge.Decision.Ask;
import dev.restitch.judge.Decision.IncidentChanged;
import dev.restitch.judge.Evidence.GapSeen;
import dev.restitch.judge.Evidence.IntentSeen;
import dev.restitch.judge.Evidence.Observed;
import dev.restitch.judge.Evidence.Op;
import dev.restitch.judge.Evidence.PlannedWrite;
import dev.restitch.judge.Evidence.SnapshotSeen;
import dev.restitch.judge.Evidence.TimePassed;
import dev.restitch.judge.Reading.State;
import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import dev.restitch.model.Verdict;
import dev.restitch.stamp.Stamp;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the simulated worlds found, each as the smallest history of its kind. */
class WorldFindingsTest {

  private final List<Decision> decisions = new ArrayList<>();
  private Judge judge;
  private InstanceState state;

  private void begin(String instance) {
    judge = new Judge(World.RELATIONS.ofInstance(instance).orElseThrow(), false);
    state = judge.fresh(instance);
  }

  private static StoreKey key(String store, String key) {
    return new StoreKey(store, Bytes.utf8(key));
  }

  private static Stamp stamp(long version, String token) {
    return new Stamp(version, Bytes.utf8(token));
  }

  private static Reading ending(StoreKey key, Stamp stamp, long end) {
    return new Reading(key, State.STAMPED, stamp, null, end, null, null, null, null);
  }

  private void give(Evidence e) {
    decisions.addAll(judge.judge(state, e));
  }

  private void seen(long at, StoreKey key, Stamp stamp) {
    give(new Observed(at, Reading.stamped(key, stamp), "set", false));
  }

  private void intent(long at, Stamp stamp, Object... keysAndOps) {
    Map<StoreKey, PlannedWrite> writes = new LinkedHashMap<>();
    for (int i = 0; i < keysAndOps.length; i += 2) {
      writes.put((StoreKey) keysAndOps[i], new PlannedWrite((Op) keysAndOps[i + 1], null, null));
    }
    give(new IntentSeen(at, stamp, writes, null, null, null, -1, -1));
  }

  /** Fires the timer and answers the ask. */
  private Ask probe(Reading... readings) {
    long at = state.wakeAt();
    Ask ask = ask(at);
    give(new SnapshotSeen(at + 10, ask.seq(), ask.askedAt(), true, List.of(readings), false));
    return ask;
  }

  private Ask ask(long at) {
    int before = decisions.size();
    give(new TimePassed(at));
    return decisions.subList(before, decisions.size()).stream()
        .filter(Ask.class::isInstance)
        .map(Ask.class::cast)
        .findFirst()
        .orElseThrow();
  }

  private List<Incident> declared() {
    return decisions.stream()
        .filter(IncidentChanged.class::isInstance)
        .map(d -> ((IncidentChanged) d).incident())
        .toList();
  }

  private Incident last() {
    return declared().get(declared().size() - 1);
  }

  /** "a key past its own {@code expiresAt} counts as expired". */
  @Test
  void shouldTakeAKeyForExpiredThatIsGoneAfterItsEndAlthoughTheEventWasLost() {
    begin("user/1");
    StoreKey profile = key("east", "user:1:profile");
    StoreKey settings = key("west", "user:1:settings");
    Stamp t = stamp(1, "t1");
    give(new Observed(1_000, ending(profile, t, 6_000), "set", false));
    seen(1_010, settings, t);
    give(new GapSeen(7_000, "east", 5_000, 7_000, "lost"));

    probe(Reading.of(profile, State.ABSENT), Reading.stamped(settings, t));
    probe(Reading.of(profile, State.ABSENT), Reading.stamped(settings, t));

    assertThat(last().verdict).isEqualTo(Verdict.SIDE_EXPIRED);
    assertThat(last().behind).containsExactly(profile);
  }

  /** "two effective tokens with one version", wherever the sides of their common write set lie. */
  @Test
  void shouldSeeACollisionAcrossInstances() {
    begin("acct/1");
    StoreKey one = key("east", "acct:1:balance");
    StoreKey two = key("east", "acct:2:balance");
    Stamp a = stamp(7, "a");
    Stamp b = stamp(7, "b");
    intent(1_000, a, one, Op.PUT, two, Op.PUT);
    intent(1_010, b, one, Op.PUT, two, Op.PUT);
    seen(1_100, one, b);
    seen(1_200, one, a);

    for (int i = 0; i < 3 && declared().isEmpty(); i++) {
      probe(Reading.stamped(one, a), Reading.stamped(two, b));
    }

    assertThat(last().verdict).isEqualTo(Verdict.COLLISION);
    assertThat(last().stamp).isEqualTo(b);
    assertThat(last().behind).containsExactly(one);
  }

  /** "per side the highest effective stamp is remembered, so that a regression re-opens it". */
  @Test
  void shouldSuspectAnOlderWriteThatLandsAfterANewerDelete() {
    begin("order/1");
    StoreKey head = key("east", "order:1:head");
    StoreKey lines = key("west", "order:1:lines");
    Stamp older = stamp(1, "t1");
    Stamp newer = stamp(2, "t2");
    intent(1_000, older, head, Op.PUT, lines, Op.PUT);
    seen(1_010, head, older);
    seen(1_020, lines, older);
    intent(5_000, newer, head, Op.PUT, lines, Op.DELETE);
    seen(5_010, head, newer);
    give(new Observed(5_020, Reading.of(lines, State.ABSENT), "del", false));
    seen(30_000, lines, older);

    assertThat(state.wakeAt()).isEqualTo(32_000);
    probe(Reading.stamped(head, newer), Reading.stamped(lines, older));
    assertThat(last().stamp).isEqualTo(newer);
    assertThat(last().behind).containsExactly(lines);
  }

  /** Only intents define W(T): what is newer, and has none, speaks for no side. */
  @Test
  void shouldRememberATransactionThatOnlyStampsWithoutIntentsWentAbove() {
    begin("order/1");
    StoreKey head = key("east", "order:1:head");
    StoreKey lines = key("west", "order:1:lines");
    Stamp known = stamp(2, "t2");
    intent(1_000, known, head, Op.PUT, lines, Op.PUT);
    seen(1_010, head, known);
    seen(1_020, lines, known);
    seen(5_010, head, stamp(3, "t3"));
    seen(5_020, lines, stamp(3, "t3"));
    seen(30_000, head, stamp(1, "t1"));

    probe(Reading.stamped(head, stamp(1, "t1")), Reading.stamped(lines, stamp(3, "t3")));

    assertThat(last().verdict).isEqualTo(Verdict.TORN_OVERWRITTEN);
    assertThat(last().stamp).isEqualTo(known);
    assertThat(last().behind).containsExactly(head);
  }

  /** "all sides gone is whole", until something stands there again. */
  @Test
  void shouldDoubtWhatWasWholeBecauseItWasGoneOnceSomethingStandsThereAgain() {
    begin("order/1");
    StoreKey head = key("east", "order:1:head");
    StoreKey totals = key("east", "order:1:totals");
    Stamp half = stamp(1, "t1");
    intent(1_000, half, head, Op.PUT, totals, Op.PUT);
    seen(1_010, head, half);
    intent(1_020, stamp(2, "t2"), head, Op.DELETE);
    give(new Observed(1_030, Reading.of(head, State.ABSENT), "del", false));
    probe(Reading.of(head, State.ABSENT), Reading.of(totals, State.ABSENT));
    assertThat(declared()).isEmpty();

    seen(20_000, head, stamp(3, "t3"));
    probe(Reading.stamped(head, stamp(3, "t3")), Reading.of(totals, State.ABSENT));

    assertThat(last().verdict).isEqualTo(Verdict.TORN_MISSING);
    assertThat(last().stamp).isEqualTo(half);
    assertThat(last().behind).containsExactly(totals);
  }

  /** What one change of primary took stays taken by it after the next. */
  @Test
  void shouldRememberWhatEachChangeOfPrimaryTookFromALog() {
    feedThatLostTwo();

    for (int i = 0; i < 3; i++) {
      probe(log("mine", "east-0", "t1", "t2"), log("yours", "west-2"), log("ours", "east-0", "t1"));
    }

    assertThat(last().verdict).isEqualTo(Verdict.TORN_ROLLED_BACK);
    assertThat(last().stamp.token()).isEqualTo(Bytes.utf8("t2"));
    assertThat(last().behind).contains(key("west", "feed:1:yours"));
  }

  /** An event that tells how a log went explains what an earlier change of primary took. */
  @Test
  void shouldTakeALogForEvictedThatWasRolledBackBefore() {
    feedThatLostTwo();
    Reading gone =
        new Reading(
            key("west", "feed:1:yours"),
            State.ABSENT,
            null,
            null,
            null,
            "west-2",
            null,
            null,
            null);
    give(new Observed(4_000, log("yours", "west-2", "t3"), "rpush", false));
    give(new Observed(5_000, gone, "evicted", false));

    for (int i = 0; i < 4; i++) {
      probe(log("mine", "east-0", "t1", "t2"), gone, log("ours", "east-0", "t1"));
    }

    assertThat(last().verdict).isEqualTo(Verdict.SIDE_EVICTED);
  }

  /** Two changes of primary, each of which takes one token from one log. */
  private void feedThatLostTwo() {
    begin("feed/1");
    give(new Observed(1_000, log("mine", "east-0", "t1", "t2"), "rpush", false));
    give(new Observed(1_010, log("ours", "east-0", "t1"), "rpush", false));
    give(new Observed(1_020, log("yours", "west-0", "t1", "t2"), "rpush", false));
    give(new Observed(1_100, log("yours", "west-1", "t1"), null, false));
    give(new Observed(1_200, log("yours", "west-2"), null, false));
  }

  private static Reading log(String side, String primary, String... tokens) {
    String store = primary.substring(0, 4);
    List<Bytes> window = Stream.of(tokens).map(Bytes::utf8).toList();
    State state = window.isEmpty() ? State.ABSENT : State.STAMPED;
    return new Reading(
        key(store, "feed:1:" + side),
        state,
        null,
        window.isEmpty() ? null : window,
        null,
        primary,
        null,
        null,
        null);
  }
}
