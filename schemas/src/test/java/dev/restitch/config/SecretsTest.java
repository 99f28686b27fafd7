package dev.restitch.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecretsTest {

  private static String east(String more) {
    return Configs.SMALL.replace("7001\" }", "7001\", " + more + " }");
  }

  private static String password(String yaml, Map<String, String> env) {
    return ConfigLoader.parse(yaml, env).stores().get("east").password().reveal();
  }

  @Test
  void shouldReadASecretFromTheTextAVariableOrAFile(@TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("secret"), " s3 cret \n");

    assertThat(password(east("password: 0012"), Map.of())).isEqualTo("0012");
    assertThat(password(east("password: { env: PW }"), Map.of("PW", "x"))).isEqualTo("x");
    assertThat(password(east("password: { file: '" + file + "' }"), Map.of()))
        .isEqualTo(" s3 cret ");
  }

  @Test
  void shouldLetAVariableOverrideASecret(@TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("secret"), "from file");
    String yaml = east("password: old");

    assertThat(password(yaml, Map.of("RESTITCH_STORES_EAST_PASSWORD", "new"))).isEqualTo("new");
    assertThat(password(Configs.SMALL, Map.of("RESTITCH_STORES_EAST_PASSWORD", "new")))
        .isEqualTo("new");
    Map<String, String> byFile = Map.of("RESTITCH_STORES_EAST_PASSWORD_FILE", file.toString());
    assertThat(password(yaml, byFile)).isEqualTo("from file");
    assertThat(password(Configs.SMALL, byFile)).isEqualTo("from file");
  }

  @Test
  void shouldAcceptAVariableOfOurPrefix() {
    String yaml = east("password: { env: RESTITCH_STORES_PASSWORD }");

    assertThat(password(yaml, Map.of("RESTITCH_STORES_PASSWORD", "x"))).isEqualTo("x");
  }

  @Test
  void shouldReadSecretsOfKafka() {
    String yaml = Configs.SMALL + "kafka: { sasl.jaas.config: { env: RESTITCH_KAFKA_JAAS } }\n";

    assertThat(ConfigLoader.parse(yaml, Map.of("RESTITCH_KAFKA_JAAS", "x")).kafka())
        .containsOnly(
            Map.entry("bootstrap.servers", "localhost:9092"), Map.entry("sasl.jaas.config", "x"));
  }

  @Test
  void shouldSayWhatIsWrongWithASecret() {
    assertThat(Configs.problems(east("password: { env: PW }")))
        .singleElement()
        .asString()
        .startsWith("stores.east.password.env: the environment variable PW is not set");
    assertThat(Configs.problems(east("password: { file: /no/such/file }")))
        .singleElement()
        .asString()
        .startsWith("stores.east.password.file: the file /no/such/file cannot be read");
    assertThat(Configs.problems(east("password: { env: A, file: B }")))
        .singleElement()
        .asString()
        .startsWith("stores.east.password: expected text, { env: NAME } or { file: PATH }");
    assertThat(Configs.problems(east("password: [a]")))
        .singleElement()
        .asString()
        .startsWith("stores.east.password: ");
  }

  @Test
  void shouldNotPrintASecret() {
    RestitchConfig config = Configs.parse(east("password: hunter2"));

    assertThat(config.stores().toString()).doesNotContain("hunter2").contains("********");
  }
}
