package dev.restitch.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.NotEmpty;
import org.junit.jupiter.api.Test;

class RelationsTest {

  private static final RestitchConfig CONFIG = Configs.parse(Configs.resource("everything.yaml"));
  private static final Relations RELATIONS = CONFIG.resolver();

  private static final Relations SWAPPED =
      Configs.parse(
              """
              stores: { s: { uri: redis://h } }
              relations:
                cart:
                  sides:
                    a: { store: s, key: "cart:{shop}:{id}:a" }
                    b: { store: s, key: "cart-b:{id}:{shop}" }
                  stamp: "{token}:{payload}"
                  marker: { store: s, key: "m:{id}:{token}:{shop}" }
              """)
          .resolver();

  @Test
  void shouldResolveAKeyOfAStore() {
    Relations.Side side = RELATIONS.resolve("west", Bytes.utf8("user:7:settings")).orElseThrow();

    assertThat(side.relation().name()).isEqualTo("user");
    assertThat(side.index()).isEqualTo(1);
    assertThat(side.instance()).isEqualTo("user/7");
    assertThat(side.key()).isEqualTo(new StoreKey("west", Bytes.utf8("user:7:settings")));
  }

  @Test
  void shouldNotResolveAKeyThatIsDeclaredInAnotherStoreOrNowhere() {
    assertThat(RELATIONS.resolve("east", Bytes.utf8("user:7:settings"))).isEmpty();
    assertThat(RELATIONS.resolve("east", Bytes.utf8("user:7:version"))).isEmpty();
    assertThat(RELATIONS.resolve("nowhere", Bytes.utf8("user:7:profile"))).isEmpty();
    assertThat(RELATIONS.resolve("east", Bytes.EMPTY)).isEmpty();
  }

  @Test
  void shouldFindEveryStoreOfAPattern() {
    assertThat(RELATIONS.resolveInAnyStore(Bytes.utf8("conf:x")))
        .extracting(side -> side.key().store())
        .containsExactly("east", "west");
  }

  @Test
  void shouldKeepTheOrderOfTheFirstSide() {
    assertThat(SWAPPED.resolve("s", Bytes.utf8("cart:acme:7:a")).orElseThrow().instance())
        .isEqualTo("cart/acme/7");
    assertThat(SWAPPED.resolve("s", Bytes.utf8("cart-b:7:acme")).orElseThrow().instance())
        .isEqualTo("cart/acme/7");
    RelationConfig cart = SWAPPED.ofInstance("cart/acme/7").orElseThrow();
    assertThat(cart.keysOf("cart/acme/7"))
        .extracting(key -> key.key().toString())
        .containsExactly("cart:acme:7:a", "cart-b:7:acme");
    assertThat(cart.markerOf("cart/acme/7", Bytes.utf8("t1")).orElseThrow().key())
        .isEqualTo(Bytes.utf8("m:7:t1:acme"));
  }

  @Test
  void shouldNameMarkerAndCounter() {
    RelationConfig pay = CONFIG.relations().get("pay");

    assertThat(pay.markerOf("pay/1", Bytes.utf8("t")).orElseThrow())
        .isEqualTo(new StoreKey("east", Bytes.utf8("txn:t:committed")));
    assertThat(pay.counterOf("pay/1").orElseThrow())
        .isEqualTo(new StoreKey("east", Bytes.utf8("pay:1:version")));
    assertThat(CONFIG.relations().get("acct").counterOf("acct/1")).isEmpty();
    assertThat(CONFIG.relations().get("acct").markerOf("acct/1", Bytes.utf8("t"))).isEmpty();
  }

  @Test
  void shouldRefuseAnInstanceOfAnotherShape() {
    RelationConfig pay = CONFIG.relations().get("pay");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> pay.keysOf("pay/1/2"))
        .withMessageContaining("has 2 ids");
  }

  @Test
  void shouldResolveAPatternWithoutCaptures() {
    Relations loose =
        Configs.parse(
                """
                stores: { s: { uri: redis://h } }
                relations:
                  conf: { sides: { a: { store: s, key: "conf" } }, stamp: "{token}:{payload}" }
                """)
            .resolver();

    assertThat(loose.resolve("s", Bytes.utf8("conf")).orElseThrow().instance()).isEqualTo("conf");
    assertThat(loose.named("conf").orElseThrow().keyOf("conf", 0).key())
        .isEqualTo(Bytes.utf8("conf"));
  }

  @Property
  void shouldComeBackFromTheInstanceToTheKey(@ForAll @NotEmpty byte[] id) {
    Bytes captured = Bytes.copyOf(id);
    Assume.that(captured.indexOf(Bytes.utf8(":"), 0) < 0);
    Bytes key =
        Bytes.concat(java.util.List.of(Bytes.utf8("user:"), captured, Bytes.utf8(":profile")));

    Relations.Side side = RELATIONS.resolve("east", key).orElseThrow();

    assertThat(side.relation().keyOf(side.instance(), 0)).isEqualTo(new StoreKey("east", key));
  }
}
