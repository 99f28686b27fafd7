package dev.restitch.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigViewTest {

  @ParameterizedTest
  @ValueSource(strings = {"relations.yaml", "everything.yaml"})
  void shouldReadBackAsTheSameConfiguration(String name) {
    RestitchConfig config = Configs.parse(Configs.resource(name));

    assertThat(Configs.parse(ConfigView.yaml(config))).isEqualTo(config);
  }

  @Test
  void shouldShowNoSecret() {
    String yaml =
        """
        kafka:
          bootstrap.servers: localhost:9092
          sasl.jaas.config: hunter2
          ssl.key.password: hunter2
          basic.auth.user.info: me:hunter2
          proxy: http://me:hunter2@proxy
        registry: { url: "https://me:hunter2@registry", username: me, password: hunter2 }
        stores:
          east: { uri: "rediss://me:hunter2@localhost:7001", username: me, password: hunter2 }
        relations:
          user:
            sides: { a: { store: east, key: "a:{id}" } }
            stamp: "{token}:{payload}"
            repair: [ { policy: source-of-truth, source: db } ]
        sources:
          db:
            jdbc: "jdbc:postgresql://me:hunter2@db/app?user=me&sslpassword=hunter2"
            password: hunter2
            query: { a: select 1 }
        management: { token: hunter2 }
        """;

    String view = ConfigView.yaml(Configs.parse(yaml));

    assertThat(view)
        .doesNotContain("hunter2")
        .contains("rediss://********@localhost:7001", "@registry", "verify-peer: true");
  }

  @ParameterizedTest
  @CsvSource({
    "redis://localhost:7001,redis://localhost:7001",
    "redis://:p@ss/w?rd@h:1,redis://********@h:1",
    "jdbc:oracle:thin:scott/tiger@h:1521/x,jdbc:********@h:1521/x",
    "jdbc:sqlserver://h;user=sa;password=s3;encrypt=true,jdbc:sqlserver://h;user=sa;password=********;encrypt=true",
    "jdbc:postgresql://h/app?password=s3&ssl=true,jdbc:postgresql://h/app?password=********&ssl=true",
  })
  void shouldMaskAddresses(String address, String shown) {
    assertThat(Masking.address(address)).isEqualTo(shown);
  }
}
