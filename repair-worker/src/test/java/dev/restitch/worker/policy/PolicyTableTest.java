package dev.restitch.worker.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.restitch.avro.Policy;
import dev.restitch.model.Verdict;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PolicyTableTest {

  @ParameterizedTest
  @EnumSource(Verdict.class)
  void shouldNeverMendWhatIsHealthyOrNotKnown(Verdict verdict) {
    if (verdict.healthy() || verdict == Verdict.INDETERMINATE || verdict == Verdict.UNDECIDED) {
      for (Policy policy : Policy.values()) {
        assertThat(PolicyTable.allows(policy, verdict)).isFalse();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Verdict.class)
  void shouldMarkWhereTheMarkerIsWrongAndNowhereElse(Verdict verdict) {
    assertThat(PolicyTable.allows(Policy.MARK, verdict)).isEqualTo(verdict.aboutMarker());
  }

  @ParameterizedTest
  @EnumSource(
      value = Verdict.class,
      names = {
        "COLLISION",
        "FOREIGN_WRITE",
        "TORN_ROLLED_BACK",
        "UNORDERED",
        "SIDE_EVICTED",
        "SIDE_EXPIRED",
        "SIDE_DELETED",
        "TORN_CROSSED",
        "UNCOMMITTED",
        "LOG_HOLE",
        "DIVERGED"
      })
  void shouldNeverAcceptTheNewestWhereItMayBeWrong(Verdict verdict) {
    assertThat(PolicyTable.allows(Policy.ACCEPT_NEWEST, verdict)).isFalse();
    assertThat(PolicyTable.allows(Policy.SOURCE_OF_TRUTH, verdict)).isTrue();
  }
}
