package dev.restitch.sandbox.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AgendaTest {

  @Test
  void shouldDrawTheSameAgendaFromTheSameSeed() {
    assertThat(acts(Agenda.draw(5_000, 40, new Random(1))))
        .isEqualTo(acts(Agenda.draw(5_000, 40, new Random(1))))
        .isNotEqualTo(acts(Agenda.draw(5_000, 40, new Random(2))));
  }

  @Test
  void shouldHoldEveryKindOfTearAndDecoyAndNothingAtTheEdges() {
    List<Act> acts = acts(Agenda.draw(1_000, 12, new Random(3)));
    assertThat(acts.stream().filter(Tear.class::isInstance)).hasSize(12);
    assertThat(acts.stream().filter(Decoy.class::isInstance)).hasSize(6);
    assertThat(acts).contains(Tear.values()).contains(Decoy.values());
    assertThat(acts.subList(0, 50)).allMatch(Act.Ordinary.class::isInstance);
    assertThat(acts.subList(900, 1_000)).allMatch(Act.Ordinary.class::isInstance);
  }

  @Test
  void shouldRefuseMoreTearsThanFit() {
    assertThatThrownBy(() -> Agenda.draw(20, 15, new Random(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("15 tears do not fit into 20 writes");
  }

  private static List<Act> acts(Agenda agenda) {
    return IntStream.range(0, agenda.length()).mapToObj(agenda::at).toList();
  }
}
