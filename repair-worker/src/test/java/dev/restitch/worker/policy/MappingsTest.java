package dev.restitch.worker.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.restitch.config.ConfigLoader;
import dev.restitch.model.Bytes;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MappingsTest {

  @Test
  void shouldPassNumbersOnDigitByDigit() {
    String exact =
        "{\"id\":9007199254740993,\"big\":123456789012345678901234567890,\"price\":1.50}";

    assertThat(map("{ \"id\": id, \"big\": big, \"price\": price }", exact)).isEqualTo(exact);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{ \"theme\": prefs.theme } | {\"prefs\":{\"theme\":\"dark\"}} | {\"theme\":\"dark\"}",
        "prefs.theme | {\"prefs\":{\"theme\":\"dark\"}} | dark",
        "$sum(items.price) | {\"items\":[{\"price\":1},{\"price\":2}]} | 3",
        "[items.id] | {\"items\":[{\"id\":1}]} | [1]",
        "{ \"none\": null } | {} | {\"none\":null}",
      })
  void shouldMapOnePayloadToAnother(String mapping, String from, String to) {
    assertThat(map(mapping, from)).isEqualTo(to);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "missing | {} | the mapping gives nothing",
        "null | {} | the mapping gives nothing",
        "$error('secret-payload') | {} | the mapping failed: D3137",
        "a + 1 | {\"a\":\"secret-payload\"} | the mapping failed: T2001",
        "function($x) { $x } | {} | the mapping gives something that is not JSON",
        "a | secret-payload | the payload that is to be mapped is not JSON",
        "a | {} {} | the payload that is to be mapped is not JSON",
        "($f := function($n) { $f($n + 1) + 1 }; $f(0)) | {} | the mapping failed",
      })
  void shouldFailInWordsThatQuoteNoPayload(String mapping, String from, String why) {
    assertThatThrownBy(() -> map(mapping, from))
        .hasCauseInstanceOf(RepairStopped.class)
        .hasMessageContaining(why)
        .message()
        .doesNotContain("secret-payload");
  }

  private static String map(String mapping, String from) {
    String yaml =
        """
        kafka: { bootstrap.servers: "h:1" }
        registry: { url: "http://h:1" }
        stores: { east: { uri: "redis://h:1" } }
        relations:
          card:
            sides: { a: { store: east, key: "a:{id}" }, b: { store: east, key: "b:{id}" } }
            stamp: "{token}:{payload}"
            repair: [ { policy: accept-newest, regenerate: { b: { from: a, mapping: '%s' } } } ]
        """
            .formatted(mapping.replace("'", "''"));
    try (Mappings mappings =
        new Mappings(ConfigLoader.parse(yaml, Map.of()).relations().values())) {
      return mappings
          .apply(mapping, Bytes.utf8(from))
          .toCompletableFuture()
          .orTimeout(10, TimeUnit.SECONDS)
          .join()
          .toString();
    }
  }
}
