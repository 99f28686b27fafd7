package dev.restitch.serde;

import static org.assertj.core.api.Assertions.assertThat;

import dev.restitch.avro.Intent;
import org.apache.avro.util.ClassSecurityValidator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AvroTrustTest {

  @ParameterizedTest
  @CsvSource({
    ", dev.restitch.avro",
    "'', dev.restitch.avro",
    "com.example, 'com.example,dev.restitch.avro'",
    "'a.b , c.d', 'a.b , c.d,dev.restitch.avro'",
    "*, *",
    "'a.b,*', 'a.b,*'",
    "dev.restitch.avro, dev.restitch.avro",
    "dev, dev",
    "dev.rest, 'dev.rest,dev.restitch.avro'"
  })
  void shouldKeepWhatTheUserTrusts(String before, String after) {
    assertThat(AvroTrust.extended(before)).isEqualTo(after);
  }

  @Test
  void shouldTrustGeneratedClassesEvenIfAvroWasUsedBefore() {
    ClassSecurityValidator.ClassSecurityPredicate before = ClassSecurityValidator.getGlobal();
    try {
      ClassSecurityValidator.setGlobal(type -> type.equals(String.class));

      AvroTrust.establish();

      ClassSecurityValidator.ClassSecurityPredicate now = ClassSecurityValidator.getGlobal();
      assertThat(now.isTrusted(Intent.class)).isTrue();
      assertThat(now.isTrusted(String.class)).isTrue();
      assertThat(now.isTrusted(Thread.class)).isFalse();
    } finally {
      ClassSecurityValidator.setGlobal(before);
    }
  }
}
