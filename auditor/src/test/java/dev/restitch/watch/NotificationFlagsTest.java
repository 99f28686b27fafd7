package dev.restitch.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.restitch.config.SideType;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class NotificationFlagsTest {

  @Test
  void shouldNeedTheClassesOfTheSidesTypes() {
    assertThat(NotificationFlags.needed(Set.of(SideType.STRING))).isEqualTo("Kg$xe");
    assertThat(NotificationFlags.needed(EnumSet.allOf(SideType.class))).isEqualTo("Kg$xelhz");
  }

  @Test
  void shouldMissNothingWhereAllIsSet() {
    assertThat(NotificationFlags.missing("Kg$xelhz", "AKE")).isEmpty();
  }

  @Test
  void shouldSayWhatIsMissing() {
    assertThat(NotificationFlags.missing("Kg$xe", "")).isEqualTo("Kg$xe");
    assertThat(NotificationFlags.missing("Kg$xe", "AE")).isEqualTo("K");
    assertThat(NotificationFlags.missing("Kg$xeh", "Kg$xe")).isEqualTo("h");
  }
}
