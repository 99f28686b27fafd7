package dev.restitch.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.restitch.config.ConfigException;
import dev.restitch.config.RegistryConfig;
import dev.restitch.config.Secret;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SchemaRegistriesTest {

  @Test
  void shouldShareAMockByItsName() {
    assertThat(SchemaRegistries.open(config("mock://shared")))
        .isSameAs(SchemaRegistries.open(config("mock://shared")))
        .isNotSameAs(SchemaRegistries.open(config("mock://other")));
  }

  @Test
  void shouldOpenAnHttpRegistryWithoutConnecting() {
    SchemaRegistry registry = SchemaRegistries.open(config("http://127.0.0.1:1/apis/ccompat/v7/"));

    assertThat(registry).isInstanceOf(HttpSchemaRegistry.class);
    assertThat(registry.address()).isEqualTo("http://127.0.0.1:1/apis/ccompat/v7");
  }

  @Test
  void shouldRefuseConfluentsOwnClassesClearly() {
    assertThatThrownBy(
            () -> SchemaRegistries.open(new RegistryConfig("http://h:1", "confluent", null, null)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("registry.serde: 'confluent' is not supported by this version");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", " ", "localhost:8081", "ftp://h", "http://", "http://a b", "http://a,"})
  void shouldRefuseWhatIsNoAddress(String url) {
    assertThatThrownBy(() -> SchemaRegistries.open(config(url)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("registry.url: ");
  }

  @Test
  void shouldNeverShowAPassword() {
    RegistryConfig inUrl = config("http://me:hunter2@h:1,http://i:1");
    RegistryConfig apart = new RegistryConfig("http://h:1", null, "me", new Secret("hunter2"));

    assertThat(RegistryEndpoint.of(inUrl).toString())
        .isEqualTo("RegistryEndpoint[http://h:1,http://i:1]");
    assertThat(RegistryEndpoint.of(inUrl).authorization())
        .isEqualTo(RegistryEndpoint.of(apart).authorization())
        .isEqualTo("Basic bWU6aHVudGVyMg==");
    assertThatThrownBy(() -> SchemaRegistries.open(config("htp://me:hunter2@h")))
        .hasMessageNotContaining("hunter2");
  }

  private static RegistryConfig config(String url) {
    return new RegistryConfig(url, "restitch", null, null);
  }
}
