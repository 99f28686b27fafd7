package dev.restitch.sweep;

import static dev.restitch.sweep.Comparison.DIFFERS;
import static dev.restitch.sweep.Comparison.GONE;
import static dev.restitch.sweep.Comparison.LEGACY;
import static dev.restitch.sweep.Comparison.MISSING;
import static dev.restitch.sweep.Comparison.UNREADABLE;
import static dev.restitch.sweep.Comparison.UNSTAMPED;
import static dev.restitch.sweep.Comparison.WHOLE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.restitch.config.RelationConfig;
import dev.restitch.config.RestitchConfig;
import dev.restitch.model.Bytes;
import dev.restitch.stamp.Stamp;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ComparisonTest {

  private static final RestitchConfig CONFIG =
      SweepRig.config("{ uri: \"redis://h:1\" }", "{ uri: \"redis://h:2\" }", "{ rate: 1 }");
  private static final Sight T1 = stamp(1L, "t1");
  private static final Sight T2 = stamp(2L, "t2");

  private static Sight stamp(Long version, String token) {
    return Sight.stamped(new Stamp(version, Bytes.utf8(token)));
  }

  private static Sight log(String... tokens) {
    return Sight.log(Arrays.stream(tokens).map(Bytes::utf8).toList());
  }

  private static Comparison of(String relation, Sight... sights) {
    RelationConfig config = CONFIG.relations().get(relation);
    return Comparison.of(config, List.of(sights));
  }

  @Test
  void shouldTakeEqualStampsForWhole() {
    assertThat(of("user", T1, T1)).isEqualTo(WHOLE);
    assertThat(of("some", T1, T1)).isEqualTo(WHOLE);
    assertThat(of("user", T1, T2)).isEqualTo(DIFFERS);
    assertThat(of("user", T1, stamp(1L, "t2"))).isEqualTo(DIFFERS);
    assertThat(of("user", T1, stamp(2L, "t1"))).isEqualTo(DIFFERS);
  }

  @Test
  void shouldSayNothingOfDataThatWasNeverStamped() {
    assertThat(of("user", Sight.UNSTAMPED, Sight.UNSTAMPED)).isEqualTo(LEGACY);
    assertThat(of("user", Sight.UNSTAMPED, Sight.ABSENT)).isEqualTo(LEGACY);
    assertThat(of("user", Sight.ABSENT, Sight.ABSENT)).isEqualTo(GONE);
  }

  @Test
  void shouldSuspectWhatStandsBesideAStamp() {
    assertThat(of("user", T1, Sight.ABSENT)).isEqualTo(MISSING);
    assertThat(of("user", Sight.ABSENT, T1)).isEqualTo(MISSING);
    assertThat(of("user", T1, Sight.UNSTAMPED)).isEqualTo(UNSTAMPED);
    assertThat(of("trio", T1, Sight.UNSTAMPED, Sight.ABSENT)).isEqualTo(UNSTAMPED);
    assertThat(of("some", T1, Sight.ABSENT)).isEqualTo(MISSING);
  }

  @Test
  void shouldConcludeNothingFromASideThatCouldNotBeRead() {
    assertThat(of("trio", T1, T2, Sight.UNREADABLE)).isEqualTo(UNREADABLE);
    assertThat(of("user", Sight.ABSENT, Sight.UNREADABLE)).isEqualTo(UNREADABLE);
  }

  @Test
  void shouldLetSidesOfSomeWritesCarryDifferentTransactionsButNoImpossibleStamps() {
    assertThat(of("some", T1, T2)).isEqualTo(WHOLE);
    assertThat(of("some", T1, stamp(2L, "t1"))).isEqualTo(DIFFERS);
    assertThat(of("some", T1, stamp(1L, "t2"))).isEqualTo(DIFFERS);
  }

  @Test
  void shouldCompareLogsByWhatTheirWindowsCanShow() {
    assertThat(of("log", log("a", "b", "c"), log("b", "a", "c"))).isEqualTo(WHOLE);
    assertThat(of("log", log("a", "b", "c"), log("b", "c"))).isEqualTo(WHOLE);
    assertThat(of("log", log("a", "b", "c"), log("a", "c"))).isEqualTo(DIFFERS);
    assertThat(of("log", log("a", "b"), log("a", "b", "c"))).isEqualTo(DIFFERS);
    assertThat(of("log", log("a"), log("b"))).isEqualTo(DIFFERS);
  }

  @ParameterizedTest
  @EnumSource(
      value = Comparison.class,
      names = {"DIFFERS", "MISSING", "UNSTAMPED"})
  void shouldRaiseOnlyWhatAJudgeCanDecide(Comparison raised) {
    assertThat(raised.suspicious()).isTrue();
    assertThat(Arrays.stream(Comparison.values()).filter(Comparison::suspicious)).hasSize(3);
  }
}
