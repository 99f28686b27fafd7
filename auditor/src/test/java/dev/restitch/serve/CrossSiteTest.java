package dev.restitch.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.restitch.config.ConfigLoader;
import dev.restitch.config.ManagementConfig;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CrossSiteTest {

  private final Map<String, String> headers =
      new HashMap<>(
          Map.of(
              "Content-Type",
              "application/json; charset=utf-8",
              CrossSite.HEADER,
              "1",
              "Host",
              "127.0.0.1:8282"));

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1:8282", "localhost:8282", "LOCALHOST", "[::1]:8282"})
  void shouldTakeWhatOurOwnClientSends(String host) {
    headers.put("Host", host);

    assertThat(CrossSite.objection(management(""), headers::get)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"text/plain", "application/x-www-form-urlencoded", "multipart/form-data"})
  void shouldRefuseWhatAFormCanSend(String type) {
    headers.put("Content-Type", type);

    assertThat(CrossSite.objection(management(""), headers::get)).isNotEmpty();
  }

  @Test
  void shouldRefuseARequestWithoutOurHeaderOrType() {
    headers.put(CrossSite.HEADER, " ");
    assertThat(CrossSite.objection(management(""), headers::get)).isNotEmpty();
    headers.put(CrossSite.HEADER, "1");
    headers.remove("Content-Type");
    assertThat(CrossSite.objection(management(""), headers::get)).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"evil.example:8282", "localhost.evil.example", "127.0.0.1.evil.example"})
  void shouldRefuseANameThatWasTurnedToThisAddress(String host) {
    headers.put("Host", host);

    assertThat(CrossSite.objection(management(""), headers::get)).isNotEmpty();
    assertThat(CrossSite.objection(management(", token: secret"), headers::get))
        .as("no other site knows the token")
        .isEmpty();
  }

  @Test
  void shouldRefuseARequestWithoutAHost() {
    headers.remove("Host");

    assertThat(CrossSite.objection(management(""), headers::get)).isNotEmpty();
  }

  private static ManagementConfig management(String more) {
    return ConfigLoader.parse(
            """
            management: { host: 127.0.0.1%s }
            stores: { east: { uri: "redis://localhost:1" } }
            relations:
              a: { sides: { b: { store: east, key: "a:{x}" } }, stamp: "{token}:{payload}" }
            """
                .formatted(more),
            Map.of())
        .management();
  }
}
