package dev.restitch.writer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.restitch.config.RelationConfig;
import dev.restitch.config.RestitchConfig;
import dev.restitch.model.Bytes;
import dev.restitch.stamp.Stamp;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ComparisonTest {

  private static final RestitchConfig CONFIG =
      Configs.of("redis://localhost:1", "redis://localhost:2");

  /** In these tables a side is {@code version:token}, {@code -}, {@code raw} or {@code away}. */
  @ParameterizedTest
  @CsvSource({
    "1:a, 1:a, WHOLE, 0",
    "2:b, 1:a, MISMATCH, 0",
    "1:a, 2:b, MISMATCH, 1",
    "1:a, 1:b, MISMATCH, ",
    "1:a, -, MISMATCH, 0",
    "-, 1:a, MISMATCH, 1",
    "-, -, WHOLE, ",
    "1:a, raw, MISMATCH, ",
    "raw, -, UNKNOWN, ",
    "raw, raw, UNKNOWN, ",
    "1:a, away, UNKNOWN, 0",
    "away, away, UNKNOWN, ",
  })
  void shouldCompareWhereEveryTransactionWritesEverySide(
      String first, String second, Consistency consistency, Integer newest) {
    expect("user", consistency, newest, first, second);
  }

  @ParameterizedTest
  @CsvSource({
    "1:a, 1:a, WHOLE, 0",
    "2:b, 1:a, UNKNOWN, 0",
    "1:a, -, UNKNOWN, 0",
    "-, -, WHOLE, ",
    "1:a, raw, MISMATCH, ",
    "1:a, 1:b, MISMATCH, ",
    "1:a, away, UNKNOWN, 0",
  })
  void shouldNotSuspectUnequalStampsWhereTransactionsWriteSomeSides(
      String first, String second, Consistency consistency, Integer newest) {
    expect("pay", consistency, newest, first, second);
  }

  @ParameterizedTest
  @CsvSource({
    "1000:a, 1249:b, MISMATCH, ",
    "1000:a, 1250:b, MISMATCH, ",
    "1000:a, 1251:b, MISMATCH, 1",
    "1251:a, 1000:b, MISMATCH, 0",
  })
  void shouldNotOrderTimestampsThatAreAtMostTheSkewApart(
      String first, String second, Consistency consistency, Integer newest) {
    expect("quote", consistency, newest, first, second);
  }

  @ParameterizedTest
  @CsvSource({"a, a, WHOLE, 0", "a, b, MISMATCH, ", "a, -, MISMATCH, 0"})
  void shouldCallNothingTheMostRecentWithoutAnOrder(
      String first, String second, Consistency consistency, Integer newest) {
    expect("doc", consistency, newest, first, second);
  }

  @ParameterizedTest
  @CsvSource({
    "a b c, a b c, WHOLE, 0",
    "a b c, c a b, WHOLE, 0",
    "a b c, a c, MISMATCH, 0",
    "a c, a b c, MISMATCH, 1",
    "a b, a c, MISMATCH, ",
    "a b c, b c, WHOLE, 0",
    "b c, a b c, WHOLE, 0",
    "a, -, MISMATCH, 0",
    "-, -, WHOLE, ",
    "a, raw, MISMATCH, ",
    "a, away, UNKNOWN, 0",
  })
  void shouldCompareLogsByTheTokensInTheirWindows(
      String first, String second, Consistency consistency, Integer newest) {
    expect("feed", consistency, newest, first, second);
  }

  @Test
  void shouldSayNothingOfOneSideAlone() {
    RelationConfig user = CONFIG.relations().get("user");

    assertThat(new Comparison(user, List.of(side(user, 0, "1:a"))).consistency())
        .isEqualTo(Consistency.UNKNOWN);
  }

  @Test
  void shouldCallTheOnlySideOfARelationWhole() {
    RelationConfig price = CONFIG.relations().get("price");

    assertThat(new Comparison(price, List.of(side(price, 0, "1:a"))).consistency())
        .isEqualTo(Consistency.WHOLE);
  }

  private static void expect(
      String relation, Consistency consistency, Integer newest, String... seen) {
    RelationConfig config = CONFIG.relations().get(relation);
    List<SideRead> sides = List.of(side(config, 0, seen[0]), side(config, 1, seen[1]));
    Comparison comparison = new Comparison(config, sides);

    assertThat(comparison.consistency()).isEqualTo(consistency);
    assertThat(comparison.mostRecent().map(sides::indexOf)).isEqualTo(opt(newest));
  }

  private static java.util.Optional<Integer> opt(Integer value) {
    return java.util.Optional.ofNullable(value);
  }

  private static SideRead side(RelationConfig relation, int index, String seen) {
    return switch (seen) {
      case "-" -> side(relation, index, SideState.ABSENT, null, null);
      case "raw" -> side(relation, index, SideState.UNSTAMPED, null, null);
      case "away" -> side(relation, index, SideState.UNREADABLE, null, null);
      default ->
          relation.log()
              ? side(relation, index, SideState.STAMPED, null, log(seen))
              : side(relation, index, SideState.STAMPED, stamp(seen), null);
    };
  }

  private static SideRead side(
      RelationConfig relation, int index, SideState state, Stamp stamp, SideValue value) {
    String name = relation.sides().get(index).name();
    return new SideRead(
        name, relation.keyOf(relation.name() + "/1", index), state, stamp, value, null, null);
  }

  private static Stamp stamp(String seen) {
    int colon = seen.indexOf(':');
    Long version = colon < 0 ? null : Long.valueOf(seen.substring(0, colon));
    return new Stamp(version, Bytes.utf8(seen.substring(colon + 1)));
  }

  private static SideValue log(String seen) {
    return new SideValue.Entries(
        Arrays.stream(seen.split(" "))
            .map(token -> new SideValue.Entry(Bytes.utf8(token), Bytes.utf8("x")))
            .toList());
  }
}
