package dev.restitch.brake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.restitch.avro.Tally;
import dev.restitch.avro.TallyShare;
import dev.restitch.brake.TornShares.Share;
import dev.restitch.config.ConfigLoader;
import dev.restitch.control.ControlBook;
import dev.restitch.control.Directive;
import dev.restitch.control.Scope;
import dev.restitch.control.Setting;
import dev.restitch.topology.BrakeBoard;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BrakeKeeperTest {

  private static final String YAML =
      """
      stores:
        east: { uri: "redis://localhost:7001" }
      relations:
        conf:
          sides: { here:  { store: east, key: "conf:{name}" } }
          stamp: "{version}:{token}:{payload}"
          brake: { share: 0.2, count: 100 }
      """;

  private long now = 1_000_000;
  private final Clock clock = new Ticking();
  private final ControlBook book = new ControlBook();
  private final List<Directive> published = new ArrayList<>();
  private List<Share> shares = List.of();
  private List<NodeSight> nodes = List.of();
  private final BrakeKeeper keeper =
      new BrakeKeeper(
          ConfigLoader.parse(YAML, Map.of()).relations(),
          () -> shares,
          () -> nodes,
          book,
          this::publish,
          "auditor-1",
          clock);

  @Test
  void shouldEngageAboveTheShareAndFromTheCountOn() {
    for (long[] calm : new long[][] {{99, 99}, {100, 20}, {1_000, 200}, {0, 0}}) {
      judged(calm[0], calm[1]);
      assertThat(published).as("%d of %d", calm[1], calm[0]).isEmpty();
    }

    judged(100, 21);

    assertThat(published).hasSize(1);
    assertThat(published.get(0).key()).isEqualTo("brake/store:east");
    assertThat(published.get(0).value()).isEqualTo("on");
    assertThat(published.get(0).cause())
        .isEqualTo(
            "21 of 100 instances of conf judged within a minute were torn; 20 % are allowed");
  }

  @Test
  void shouldStayEngagedUntilAPersonResetsIt() {
    judged(100, 50);
    judged(100, 60);
    judged(1_000, 0);

    assertThat(published).hasSize(1);
    assertThat(book.on(Setting.BRAKE)).hasSize(1);
  }

  @Test
  void shouldNotEngageAgainBeforeEveryJudgeHasHeardOfTheReset() {
    judged(100, 50);
    reset();
    judged(100, 50);
    now += BrakeKeeper.GRACE.toMillis() - 1;
    judged(100, 50);
    assertThat(published).hasSize(1);

    now += 1;
    judged(100, 50);

    assertThat(published).hasSize(2);
  }

  @Test
  void shouldLeaveWhatAnotherAuditorHasSet() {
    book.put(new Directive(Setting.BRAKE, Scope.store("east"), "on", "auditor-2", "torn", now));

    judged(100, 50);

    assertThat(published).isEmpty();
  }

  @Test
  void shouldHoldAStoreWhileAPrimaryThatItWatchesIsNotCovered() {
    sees(new NodeSight("east", "h:1", true, "disconnected"));
    sees(new NodeSight("east", "h:1", true, "disconnected"));
    sees(new NodeSight("east", "h:1", true, null));

    assertThat(published)
        .extracting(d -> d.key() + "=" + d.value())
        .containsExactly("blind/node:east/h:1=on", "blind/node:east/h:1=off");
  }

  @Test
  void shouldSpeakForOthersPrimariesOnlyWhereNobodyWatchesThem() {
    sees(new NodeSight("east", "h:1", false, "disconnected"));
    assertThat(published).isEmpty();

    sees(new NodeSight("east", "h:1", false, NodeSight.UNWATCHED));
    assertThat(published).hasSize(1);
    sees(new NodeSight("east", "h:1", false, null));
    assertThat(published).as("its new watcher releases it").hasSize(1);
  }

  @Test
  void shouldReleaseAPrimaryThatIsNoneAnyMore() {
    sees(new NodeSight("east", "old:1", true, "disconnected"));
    sees();
    assertThat(published).as("the store's primaries are not known").hasSize(1);

    sees(new NodeSight("east", "new:1", true, null));

    assertThat(published).hasSize(2);
    assertThat(published.get(1).value()).isEqualTo("off");
    assertThat(book.on(Setting.BLIND)).isEmpty();
  }

  @Test
  void shouldAddUpWhatAllAuditorsFindAndLeaveOutWhatIsOld() {
    List<Tally> told =
        List.of(
            tally("auditor-1", now, 1_000, 1_000),
            tally("auditor-2", now - TornShares.FRESH.toMillis(), 60, 15),
            tally("auditor-3", now - 10, 40, 6),
            tally("auditor-4", now - TornShares.FRESH.toMillis() - 1, 500, 500));
    TornShares sums = new TornShares("auditor-1", new BrakeBoard(), () -> List.copyOf(told), clock);

    assertThat(sums.all()).containsExactly(new Share("conf", "east", 100, 21));
  }

  @Test
  void shouldForgetSettingsOfClosedIncidentsSomeTimeLater() {
    SettledControls settled = new SettledControls(book, "closed"::equals, clock);
    book.put(approval("closed"));
    book.put(approval("open"));
    book.put(new Directive(Setting.PAUSE, Scope.EVERYWHERE, "on", "ann", "why", 0));
    now += SettledControls.KEPT.toMillis();
    assertThat(settled.keys()).isEmpty();

    now += 1;

    assertThat(settled.keys()).containsExactly("approve/incident:conf/a#closed");
  }

  private Directive approval(String incident) {
    return new Directive(
        Setting.APPROVE,
        Scope.incident("conf/a", incident),
        "TORN_MISSING roll-forward",
        "ann",
        "why",
        now);
  }

  private static Tally tally(String auditor, long at, long judged, long torn) {
    return new Tally(auditor, at, List.of(new TallyShare("conf", "east", judged, torn)));
  }

  private void judged(long judged, long torn) {
    shares = List.of(new Share("conf", "east", judged, torn));
    keeper.tick();
  }

  private void sees(NodeSight... sights) {
    nodes = List.of(sights);
    keeper.tick();
  }

  private void reset() {
    book.put(new Directive(Setting.BRAKE, Scope.store("east"), "off", "ann", "mended", now));
  }

  private void publish(Directive directive) {
    published.add(directive);
    book.put(directive);
  }

  private final class Ticking extends Clock {
    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }

    @Override
    public Instant instant() {
      return Instant.ofEpochMilli(now);
    }
  }
}
