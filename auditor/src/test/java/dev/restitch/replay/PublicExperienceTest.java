package dev.restitch.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.restitch.judge.Decision.Counter;
import dev.restitch.model.Bytes;
import dev.restitch.model.Verdict;
import dev.restitch.stamp.Stamp;
import dev.restitch.stamp.StampTemplate;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;

/** What users of stamps, notifications and intents have met in public, each as a history. */
class PublicExperienceTest {

  private static final StampTemplate STAMP = StampTemplate.parse("{version}:{token}:{payload}");

  @Test
  void shouldStayWholeWhenOneNotificationStandsForTwoWrites() {
    // t1's write of the profile is never seen: its notification was read when t2 stood there
    assertThat(
            Tale.of(
                    """
                    900 intent 7:t1 user:1:profile user:1:settings
                    950 intent 8:t2 user:1:profile user:1:settings
                    1000 set user:1:profile 8:t2
                    1010 set user:1:settings 7:t1
                    1020 set user:1:settings 8:t2
                    200000 end
                    """)
                .found())
        .isEmpty();
  }

  @Test
  void shouldFindTheTearBehindOneNotificationThatStandsForTwoWrites() {
    // both writes of the settings were one notification, and t2's write of the profile was lost
    assertThat(
            Tale.of(
                    """
                    1000 set user:1:profile 7:t1
                    1010 set user:1:settings 8:t2
                    200000 end
                    """)
                .found())
        .containsExactly("3010 user/1 TORN_MISSING 8:t2 user:1:profile OPEN report");
  }

  @Test
  void shouldExplainAKeyThatExpiresBeforeItIsReadByItsOwnTtl() {
    assertThat(
            Tale.of(
                    """
                    900 intent 7:t1 user:1:profile~ttl=100 user:1:settings
                    1000 set user:1:settings 7:t1
                    1010 set user:1:profile absent
                    1015 expired user:1:profile absent
                    200000 end
                    """)
                .found())
        .isEmpty();
  }

  @Test
  void shouldReportAKeyThatExpiresBeforeItIsReadAndThatNothingExplains() {
    // the expired event comes after t1's first evidence, so t1 counts as seen there
    assertThat(
            Tale.of(
                    """
                    900 intent 7:t1 user:1:profile user:1:settings
                    1000 set user:1:settings 7:t1
                    1010 set user:1:profile absent
                    1015 expired user:1:profile absent
                    20000 end
                    """)
                .found())
        .containsExactly("6010 user/1 SIDE_EXPIRED 7:t1 user:1:profile OPEN report");
  }

  @Test
  void shouldCallAnExpireatInThePastADelete() {
    assertThat(
            Tale.of(
                    """
                    1000 set user:1:profile 7:t1
                    1000 set user:1:settings 7:t1
                    9000 del user:1:profile absent
                    20000 end
                    """)
                .found())
        .containsExactly("11000 user/1 SIDE_DELETED 7:t1 user:1:profile OPEN report");
  }

  @Test
  void shouldStayWholeWhenBothSidesExpireAndTheReadsStraddleIt() {
    // the probe reads the profile after it has expired and the settings just before they do
    assertThat(
            Tale.of(
                    """
                    1000 set user:1:profile 7:t1~expires=9999
                    1000 set user:1:settings 7:t1~expires=10004
                    9000 gap east 8000 9000
                    10003 probe user/1 asked=9000 user:1:profile=absent user:1:settings=7:t1~expires=10004
                    10001 expired user:1:profile absent
                    10006 expired user:1:settings absent
                    200000 end
                    """)
                .found())
        .isEmpty();
  }

  @Test
  void shouldStayWholeWhenBothSidesExpireUnseen() {
    assertThat(
            Tale.of(
                    """
                    1000 set user:1:profile 7:t1~expires=10000
                    1000 set user:1:settings 7:t1~expires=14999
                    200000 end
                    """)
                .found())
        .isEmpty();
  }

  @Test
  void shouldTakeNoHarmFromASlotMigration() {
    // the source node reports the key's deletion, the target its restoring
    assertThat(
            Tale.of(
                    """
                    1000 set order:1:head 7:t1
                    1000 set order:1:notes 7:t1
                    1000 intent 7:t1 order:1:head order:1:notes
                    9000 del order:1:notes absent
                    9040 restore order:1:notes 7:t1
                    20000 restore order:1:head 7:t1
                    20001 del order:1:head 7:t1
                    200000 end
                    """)
                .found())
        .isEmpty();
  }

  @Test
  void shouldFindAPayloadThatARetryWithTheSameTokenChangedOnOneSide() {
    Tale tale =
        Tale.of(
            """
            900 intent 7:t1 user:1:profile~digest=aa user:1:settings~digest=bb
            1000 set user:1:profile 7:t1~digest=aa
            1500 intent 7:t1 user:1:profile~digest=cc user:1:settings~digest=dd
            1600 set user:1:settings 7:t1~digest=dd
            200000 end
            """);

    assertThat(tale.found())
        .containsExactly("3000 user/1 DIVERGED 7:t1 user:1:settings OPEN report");
    assertThat(tale.totals().count(Counter.INTENTS_DISAGREE)).isEqualTo(1);
  }

  @Test
  void shouldFindAPayloadThatALateRetryChangedLongAfterTheTransactionWasWhole() {
    assertThat(
            Tale.of(
                    """
                    900 intent 7:t1 user:1:profile~digest=aa user:1:settings~digest=bb
                    1000 set user:1:profile 7:t1~digest=aa
                    1000 set user:1:settings 7:t1~digest=bb
                    60000 set user:1:settings 7:t1~digest=dd
                    200000 end
                    """)
                .found())
        .singleElement()
        .asString()
        .contains("user/1 DIVERGED 7:t1 user:1:settings OPEN report");
  }

  @Test
  void shouldNotCountARetryThatRepeatsItsIntent() {
    Tale tale =
        Tale.of(
            """
            900 intent 7:t1 user:1:profile~digest=aa user:1:settings~digest=bb
            1000 set user:1:profile 7:t1~digest=aa
            1500 intent 7:t1 user:1:profile~digest=aa user:1:settings~digest=bb
            1600 set user:1:settings 7:t1~digest=bb
            200000 end
            """);

    assertThat(tale.found()).isEmpty();
    assertThat(tale.totals().count(Counter.INTENTS_DISAGREE)).isZero();
  }

  @Test
  void shouldCloseTheIncidentOfAFailedSideThatLandsMinutesLater() {
    assertThat(
            Tale.of(
                    """
                    900 intent 7:t1 user:1:profile user:1:settings
                    1000 set user:1:profile 7:t1
                    1100 done 7:t1 user:1:profile=ok user:1:settings=failed
                    240000 set user:1:settings 7:t1
                    240001 end
                    """)
                .found())
        .containsExactly("3000 user/1 TORN_MISSING 7:t1 user:1:settings HEALED report");
  }

  @Test
  void shouldRefuseASnapshotAskedBeforeTheLastChangeThatArrivesAfterIt() {
    assertThat(
            Tale.of(
                    """
                    1000 set user:1:profile 7:t1
                    3050 set user:1:settings 7:t1
                    3100 probe user/1 asked=3000 user:1:profile=7:t1 user:1:settings=6:t0
                    200000 end
                    """)
                .found())
        .isEmpty();
  }

  @Test
  void shouldAskAgainAfterASnapshotThatALaterDeleteContradicts() {
    assertThat(
            Tale.of(
                    """
                    1000 set user:1:profile 7:t1
                    3050 del user:1:settings absent
                    3100 probe user/1 asked=3000 user:1:profile=7:t1 user:1:settings=7:t1
                    20000 end
                    """)
                .found())
        .containsExactly("5050 user/1 SIDE_DELETED 7:t1 user:1:settings OPEN report");
  }

  @Test
  void shouldTakeALowerVersionsIntentAfterAHigherOneForOrdinaryConcurrency() {
    Tale tale =
        Tale.of(
            """
            900 intent 8:t2 user:1:profile user:1:settings
            1000 set user:1:profile 8:t2
            1010 set user:1:settings 8:t2
            1500 intent 7:t1 user:1:profile user:1:settings
            200000 end
            """);

    assertThat(tale.found()).isEmpty();
    assertThat(tale.totals().count(Counter.VERSION_REGRESSION)).isZero();
  }

  @Test
  void shouldMeetEveryDeadlineOfAnIdleInput() {
    // the only line that comes for the instance's partition is the end, an hour later
    assertThat(
            Tale.of(
                    """
                    1000 set user:1:profile 7:t1
                    3600000 end
                    """)
                .found())
        .containsExactly("3000 user/1 TORN_MISSING 7:t1 user:1:settings OPEN report");
  }

  @Test
  void shouldFindTearsWithIntentsSwitchedOff() {
    assertThat(
            Tale.of(
                    """
                    1000 set user:1:profile 7:t1
                    1010 set user:1:settings 7:t1
                    2000 set user:1:profile 8:t2
                    8000 set user:1:settings 9:t3
                    8010 set user:1:profile 9:t3
                    200000 end
                    """)
                .found())
        .containsExactly("4000 user/1 TORN_MISSING 8:t2 user:1:settings HEALED report");
  }

  @Test
  void shouldReportAWriterThatStampsOneSideOnly() {
    assertThat(
            Tale.of(
                    """
                    1000 set user:1:profile 7:t1
                    1010 set user:1:settings unstamped
                    200000 end
                    """)
                .found())
        .containsExactly("3000 user/1 FOREIGN_WRITE 7:t1 user:1:settings OPEN report");
  }

  @Test
  void shouldNotFloodOverLegacyDataWithoutStamps() {
    StringBuilder legacy = new StringBuilder();
    for (int i = 0; i < 500; i++) {
      legacy.append("%d set user:%d:profile unstamped\n".formatted(1000 + i, i));
      legacy.append("%d sweep user/%d user:%d:profile=unstamped ".formatted(3000 + i, i, i));
      legacy.append("user:%d:settings=unstamped%n".formatted(i));
      legacy.append("%d del user:%d:settings absent\n".formatted(9000 + i, i));
    }
    Tale tale = Tale.of(legacy + "200000 end");

    assertThat(tale.found()).isEmpty();
    assertThat(tale.totals().asks).as("a sweep that sees equal sides asks for nothing").isZero();
  }

  @Test
  void shouldCarryATokenOutsideUtf8ThroughAVerdict() {
    byte[] token = {(byte) 0xff, 0, (byte) 0xc3, 0x28};
    String token64 = Base64.getEncoder().encodeToString(token);
    assertThat(
            Tale.of("")
                .raw(
                    "{\"type\":\"observation\",\"at\":1000,\"key\":\"user:1:profile\",\"event\":"
                        + "\"set\",\"state\":\"stamped\",\"version\":7,\"token64\":\""
                        + token64
                        + "\"}")
                .tell("200000 end")
                .replay())
        .singleElement()
        .satisfies(
            f -> {
              assertThat(f.incident().verdict).isEqualTo(Verdict.TORN_MISSING);
              assertThat(f.incident().stamp).isEqualTo(new Stamp(7L, Bytes.copyOf(token)));
            });
  }

  @Test
  void shouldReadAPayloadFullOfSeparators() {
    byte[] value = "7:t1:::a:b:{payload}::".getBytes(StandardCharsets.UTF_8);

    assertThat(STAMP.read(value))
        .hasValueSatisfying(
            p -> {
              assertThat(p.stamp()).isEqualTo(new Stamp(7L, Bytes.utf8("t1")));
              assertThat(p.payloadOffset()).isEqualTo("7:t1:".length());
            });
  }

  @Test
  void shouldReadAnEmptyPayload() {
    assertThat(STAMP.read("7:t1:".getBytes(StandardCharsets.UTF_8)))
        .hasValueSatisfying(
            p -> {
              assertThat(p.stamp()).isEqualTo(new Stamp(7L, Bytes.utf8("t1")));
              assertThat(p.payloadOffset()).isEqualTo(5);
            });
    assertThat(STAMP.read("7:t1".getBytes(StandardCharsets.UTF_8))).isEmpty();
  }

  @Test
  void shouldCompareTheDigestOfAnEmptyPayload() {
    String empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    assertThat(
            Tale.of(
                    """
                    900 intent 7:t1 user:1:profile~digest=%s user:1:settings~digest=%s
                    1000 set user:1:profile 7:t1~digest=%s
                    1000 set user:1:settings 7:t1~digest=aa
                    20000 end
                    """
                        .formatted(empty, empty, empty))
                .found())
        .containsExactly("3000 user/1 DIVERGED 7:t1 user:1:settings OPEN report");
  }

  @Test
  void shouldOrderVersionsUpToTheGreatest() {
    assertThat(
            Tale.of(
                    """
                    1000 set user:1:profile 9223372036854775806:t1
                    1000 set user:1:settings 9223372036854775806:t1
                    2000 set user:1:profile 9223372036854775807:t2
                    9000 set user:2:profile 9223372036854775807:t3
                    9000 set user:2:settings 9223372036854775807:t3
                    9500 set user:2:profile 0:t0
                    20000 end
                    """)
                .found())
        .containsExactly(
            "4000 user/1 TORN_MISSING 9223372036854775807:t2 user:1:settings OPEN report",
            "11500 user/2 TORN_OVERWRITTEN 9223372036854775807:t3 user:2:profile OPEN report");
  }

  @Test
  void shouldOrderTimestampsUpToTheGreatest() {
    assertThat(
            Tale.of(
                    """
                    1000 set price:1:list 0:t1
                    1000 set price:1:sale 9223372036854775807:t2
                    20000 end
                    """)
                .found())
        .containsExactly(
            "3000 price/1 TORN_MISSING 9223372036854775807:t2 price:1:list OPEN report");
  }
}
