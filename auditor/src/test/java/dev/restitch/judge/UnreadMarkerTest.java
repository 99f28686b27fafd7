package dev.restitch.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.restitch.judge.Decision.Ask;
import dev.restitch.judge.Decision.IncidentChanged;
import dev.restitch.judge.Evidence.Observed;
import dev.restitch.judge.Evidence.SnapshotSeen;
import dev.restitch.judge.Evidence.TimePassed;
import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import dev.restitch.stamp.Stamp;
import java.util.List;
import org.junit.jupiter.api.Test;

class UnreadMarkerTest {

  private static final StoreKey DEBIT = new StoreKey("east", Bytes.utf8("pay:1:debit"));
  private static final StoreKey CREDIT = new StoreKey("west", Bytes.utf8("pay:1:credit"));
  private static final StoreKey MARKER = new StoreKey("east", Bytes.utf8("txn:t2:committed"));

  private final Judge judge = new Judge(World.RELATIONS.named("pay").orElseThrow(), true);
  private final InstanceState state = judge.fresh("pay/1");
  private final Stamp older = new Stamp(1L, Bytes.utf8("t1"));
  private final Stamp newer = new Stamp(2L, Bytes.utf8("t2"));

  @Test
  void shouldNotMissAMarkerThatTheSnapshotWasNotAskedFor() {
    judge.judge(state, new Observed(1_000, Reading.stamped(DEBIT, older), "set", false));
    Ask first = ask(judge.judge(state, new TimePassed(20_000)));

    // the newer write was recorded long ago, but the judge lags and hears of it only now
    judge.judge(state, new Observed(10_000, Reading.stamped(DEBIT, newer), "set", false));
    judge.judge(state, new Observed(10_000, Reading.stamped(CREDIT, newer), "set", false));
    List<Decision> decisions =
        judge.judge(
            state,
            new SnapshotSeen(
                20_100,
                first.seq(),
                first.askedAt(),
                true,
                List.of(Reading.stamped(DEBIT, newer), Reading.stamped(CREDIT, newer)),
                false));

    assertThat(decisions).noneMatch(IncidentChanged.class::isInstance);
    Ask second = ask(judge.judge(state, new TimePassed(20_100)));
    assertThat(second.markers()).contains(MARKER);
  }

  private static Ask ask(List<Decision> decisions) {
    return decisions.stream()
        .filter(Ask.class::isInstance)
        .map(Ask.class::cast)
        .findFirst()
        .orElseThrow();
  }
}
