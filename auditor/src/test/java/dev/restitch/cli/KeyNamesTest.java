package dev.restitch.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.restitch.config.ConfigLoader;
import java.util.Map;
import org.junit.jupiter.api.Test;

class KeyNamesTest {

  private final KeyNames names =
      new KeyNames(
          ConfigLoader.parse(
                  """
                  kafka: { bootstrap.servers: "localhost:1" }
                  registry: { url: "http://localhost:1" }
                  stores: { east: { uri: "redis://localhost:1" }, west: { uri: "redis://localhost:2" } }
                  relations:
                    conf:
                      sides:
                        here:  { store: east, key: "conf:{name}" }
                        there: { store: west, key: "conf:{name}" }
                      stamp: "{version}:{token}:{payload}"
                      version: { order: counter }
                    mate:
                      sides:
                        here:  { store: east, key: "mate:{id}:a" }
                        there: { store: west, key: "{id}:mate:b" }
                      stamp: "{version}:{token}:{payload}"
                      version: { order: counter }
                  """,
                  Map.of())
              .resolver());

  @Test
  void shouldTakeKeysKeysOfStoresAndInstances() {
    assertThat(names.instances("conf:a")).containsExactly("conf/a");
    assertThat(names.instances("west/conf:a")).containsExactly("conf/a");
    assertThat(names.instances("conf/a")).containsExactly("conf/a");
    assertThat(names.instances("conf:\\xff!")).containsExactly("conf/%FF%21");
    assertThat(names.instances("7:mate:b")).containsExactly("mate/7");
  }

  @Test
  void shouldSayWhatWouldBeRight() {
    assertThatThrownBy(() -> names.instances("cnf:a"))
        .hasMessageStartingWith("'cnf:a' is the key of no relation; the nearest patterns are")
        .hasMessageContaining("conf:{name}");
    assertThatThrownBy(() -> names.instances("conf/a/b"))
        .hasMessage("'conf/a/b' has 2 id(s); relation conf captures [name]");
  }
}
