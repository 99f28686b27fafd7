package dev.restitch.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.restitch.avro.Control;
import dev.restitch.control.Hold.Reason;
import dev.restitch.model.Verdict;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ControlBookTest {

  private final ControlBook book = new ControlBook();
  private final Proposal proposal =
      new Proposal(
          "user",
          "user/1",
          "5f0c",
          Verdict.TORN_MISSING,
          "source-of-truth",
          List.of("west", "east"),
          false);

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "pause, -, PAUSED",
        "pause, store:east, PAUSED",
        "pause, relation:user, PAUSED",
        "dry-run, -, DRY_RUN",
        "dry-run, store:west, DRY_RUN",
        "brake, store:west, BRAKED",
        "blind, node:east/localhost:7001, BLIND",
        "discard, incident:user/1#5f0c, DISCARDED",
        "suppress, incident:user/1#5f0c, SUPPRESSED",
        "suppress, rule:user/*, SUPPRESSED",
        "suppress, rule:user/1 TORN_MISSING, SUPPRESSED"
      })
  void shouldHoldWhatItConcernsUntilItIsOff(String setting, String scope, Reason reason) {
    set(setting, scope, "on");

    assertThat(book.hold(proposal)).map(Hold::reason).contains(reason);
    assertThat(book.hold(proposal).orElseThrow().words()).contains("why");

    set(setting, scope, "off");
    assertThat(book.hold(proposal)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "pause, store:north",
    "pause, relation:users",
    "brake, store:eas",
    "blind, node:north/localhost:7001",
    "discard, incident:user/1#5f0",
    "discard, incident:user/2#5f0c",
    "suppress, rule:user/2*",
    "suppress, rule:user/1 SIDE_EXPIRED"
  })
  void shouldNotHoldWhatItDoesNotConcern(String setting, String scope) {
    set(setting, scope, "on");

    assertThat(book.hold(proposal)).isEmpty();
  }

  @Test
  void shouldWantTheVeryRepairApproved() {
    Proposal wanting =
        new Proposal(
            "user",
            "user/1",
            "5f0c",
            Verdict.TORN_MISSING,
            "source-of-truth",
            List.of("east"),
            true);
    String incident = "incident:user/1#5f0c";

    assertThat(book.hold(wanting)).map(Hold::reason).contains(Reason.UNAPPROVED);
    set("approve", incident, "TORN_MISSING roll-forward");
    assertThat(book.hold(wanting).orElseThrow().words()).contains("roll-forward");
    set("approve", incident, wanting.approvable());
    assertThat(book.hold(wanting)).isEmpty();
    set("approve", incident, "off");
    assertThat(book.hold(wanting)).map(Hold::reason).contains(Reason.UNAPPROVED);
  }

  @Test
  void shouldLetWhatWasTakenInLastHoldWhateverTheClocksSay() {
    book.put(new Directive(Setting.PAUSE, Scope.EVERYWHERE, "off", "a", "why", 2_000));
    book.put(new Directive(Setting.PAUSE, Scope.EVERYWHERE, "on", "b", "why", 1_000));

    assertThat(book.hold(proposal)).map(Hold::reason).contains(Reason.PAUSED);
    book.remove("pause");
    assertThat(book.hold(proposal)).isEmpty();
  }

  @Test
  void shouldReadBackWhatItWrites() {
    for (String scope : List.of("", "store:east", "relation:user")) {
      Directive directive =
          new Directive(Setting.RATE, Scope.parse(scope), "50", "ann", "less load", 5);
      assertThat(ControlRecords.read(ControlRecords.write(directive))).isEqualTo(directive);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "pause;store:east;maybe",
        "rate;store:east;0",
        "rate;store:east;-1",
        "rate;store:east;12345678",
        "rate;incident:user/1#a;1",
        "approve;store:east;TORN_MISSING report",
        "approve;incident:user/1#a;on",
        "brake;relation:user;on",
        "suppress;rule:user;on",
        "suppress;rule:*;on",
        "suppress;rule:user/1 NO_SUCH;on",
        "suppress;rule:user/1 WHOLE;on",
        "discard;incident:user/1;on",
        "pause;east;on",
        "speed;;on"
      })
  void shouldRefuseWhatMakesNoSense(String text) {
    String[] parts = text.split(";");

    assertThatThrownBy(() -> set(parts[0], parts[1], parts[2]))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void shouldWantAnOwnerAndACauseOfOneLine() {
    for (String bad : List.of("", " ", "two\nlines", "x".repeat(501))) {
      assertThatThrownBy(
              () -> new Directive(Setting.PAUSE, Scope.EVERYWHERE, "on", "ann", bad, 0).validated())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("cause");
      assertThatThrownBy(
              () -> new Directive(Setting.PAUSE, Scope.EVERYWHERE, "on", bad, "why", 0).validated())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("owner");
    }
  }

  private void set(String setting, String scope, String value) {
    book.put(
        ControlRecords.read(
            Control.newBuilder()
                .setSetting(setting)
                .setScope(scope)
                .setValue(value)
                .setOwner("ann")
                .setCause("why")
                .setAtMillis(1)
                .build()));
  }
}
