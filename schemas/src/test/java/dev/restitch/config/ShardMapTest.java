package dev.restitch.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.restitch.config.ShardMap.Rule;
import dev.restitch.model.Bytes;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShardMapTest {

  @ParameterizedTest
  @CsvSource({
    "acme:*,acme:1,true",
    "acme:*,acme:,true",
    "acme:*,acme,false",
    "acme:*,xacme:1,false",
    "user:*:a,user:1:a,true",
    "user:*:a,user:1:a:a,true",
    "user:*:a,user:1:b,false",
    "*,'',true",
    "*:*,ab:,true",
    "a*b*c,a1b2b3c,true",
    "a*b*c,a1c2b3,false",
    "a?,ab,false",
    "a?,a?,true",
  })
  void shouldMatchKeysByStarsOnly(String glob, String key, boolean matches) {
    ShardMap map = new ShardMap(List.of(new Rule(glob, 1), new Rule("*", 0)));

    assertThat(map.shardOf(Bytes.utf8(key))).isEqualTo(matches ? 1 : 0);
  }

  @Test
  void shouldTakeTheFirstRuleThatMatchesAKeyOfAnyBytes() {
    ShardMap map = new ShardMap(List.of(new Rule("a*", 2), new Rule("ab*", 1), new Rule("*", 0)));

    assertThat(map.shardOf(Bytes.copyOf(new byte[] {'a', 'b', (byte) 0xff, 0}))).isEqualTo(2);
    assertThat(map.shardOf(Bytes.copyOf(new byte[] {(byte) 0xff}))).isZero();
  }

  @Test
  void shouldKeepTheOrderOfTheFile() {
    String crc32 = "sharding: crc32";
    String map = "sharding: { \"acme:*\": 1, \"user:1*:settings\": 1, \"*\": 0 }";
    String yaml = Configs.resource("everything.yaml");
    RestitchConfig config = Configs.parse(yaml.replace(crc32, map));

    assertThat(config.stores().get("west").shardMap().rules())
        .containsExactly(new Rule("acme:*", 1), new Rule("user:1*:settings", 1), new Rule("*", 0));
    assertThat(Configs.parse(ConfigView.yaml(config))).isEqualTo(config);
    assertThat(Configs.parse(yaml).stores().get("west").shardMap()).isNull();
  }

  @Test
  void shouldLeaveNoKeyWithoutAShard() {
    assertThatThrownBy(() -> new ShardMap(List.of(new Rule("a*", 0))))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
