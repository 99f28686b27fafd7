package dev.restitch.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.restitch.avro.Gap;
import dev.restitch.avro.Intent;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.junit.jupiter.api.Test;

class InMemorySchemaRegistryTest {

  private final InMemorySchemaRegistry registry = new InMemorySchemaRegistry();

  @Test
  void shouldGiveOneSchemaOneIdUnderEverySubject() {
    int id = registry.register("a-value", Gap.getClassSchema());

    assertThat(registry.register("a-value", Gap.getClassSchema())).isEqualTo(id);
    assertThat(registry.register("b-value", Gap.getClassSchema())).isEqualTo(id);
    assertThat(registry.register("c-value", Intent.getClassSchema())).isEqualTo(id + 1);
    assertThat(registry.byId(id)).isEqualTo(SchemaText.portable(Gap.getClassSchema()));
  }

  @Test
  void shouldRefuseASchemaThatCannotReadWhatIsThere() {
    Schema old = SchemaBuilder.record("R").fields().requiredLong("a").endRecord();
    Schema bad = SchemaBuilder.record("R").fields().requiredLong("a").requiredLong("b").endRecord();
    Schema fine =
        SchemaBuilder.record("R").fields().requiredLong("a").optionalLong("b").endRecord();
    registry.register("s", old);

    assertThat(registry.compatible("s", bad)).isFalse();
    assertThat(registry.compatible("other", bad)).isTrue();
    assertThatThrownBy(() -> registry.register("s", bad))
        .isInstanceOf(RegistryRefusedException.class)
        .hasMessageContaining("subject s");
    assertThat(registry.register("s", fine)).isEqualTo(2);
  }

  @Test
  void shouldNotKnowIdsThatItDidNotGive() {
    assertThatThrownBy(() -> registry.byId(1))
        .isInstanceOfSatisfying(
            SchemaNotFoundException.class, e -> assertThat(e.id()).isEqualTo(1));
    assertThatThrownBy(() -> registry.byId(-1)).isInstanceOf(SchemaNotFoundException.class);
  }
}
