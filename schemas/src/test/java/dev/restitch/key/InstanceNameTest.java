package dev.restitch.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.restitch.model.Bytes;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.NotEmpty;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InstanceNameTest {

  @Test
  void shouldJoinRelationAndIds() {
    String name = InstanceName.of("cart", List.of(Bytes.utf8("acme"), Bytes.utf8("7")));

    assertThat(name).isEqualTo("cart/acme/7");
    assertThat(InstanceName.relation(name)).isEqualTo("cart");
    assertThat(InstanceName.of("conf", List.of())).isEqualTo("conf");
    assertThat(InstanceName.relation("conf")).isEqualTo("conf");
    assertThat(InstanceName.ids("conf")).isEmpty();
  }

  @Test
  void shouldEscapeWhatIsNotPlain() {
    assertThat(InstanceName.of("user", List.of(Bytes.utf8("a/b#c%ü-._~"))))
        .isEqualTo("user/a%2Fb%23c%25%C3%BC-._~");
  }

  @ParameterizedTest
  @ValueSource(strings = {"user/%", "user/%4", "user/%zz", "user/a%2", "user/%-1"})
  void shouldRefuseABrokenEscape(String name) {
    assertThatIllegalArgumentException().isThrownBy(() -> InstanceName.ids(name));
  }

  @Property
  void shouldComeBackWithAnyBytes(@ForAll @NotEmpty List<@Size(max = 9) byte[]> ids) {
    List<Bytes> bytes = ids.stream().map(Bytes::copyOf).toList();

    String name = InstanceName.of("user", bytes);

    assertThat(InstanceName.ids(name)).isEqualTo(bytes);
    assertThat(InstanceName.relation(name)).isEqualTo("user");
    assertThat(name).matches("user(/([A-Za-z0-9._~-]|%[0-9A-F]{2})*+)++");
  }
}
