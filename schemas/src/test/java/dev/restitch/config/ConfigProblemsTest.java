package dev.restitch.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each case changes one place of a valid configuration and expects exactly one problem. */
class ConfigProblemsTest {

  private static final String SMALL = Configs.SMALL;

  private static void expectOne(String yaml, String path, String... words) {
    assertThat(yaml).isNotEqualTo(SMALL);
    List<String> problems = Configs.problems(yaml);
    assertThat(problems).hasSize(1);
    assertThat(problems.get(0)).startsWith(path);
    assertThat(List.of(words)).allSatisfy(word -> assertThat(problems.get(0)).contains(word));
  }

  @Test
  void shouldTellAllProblemsAtOnce() {
    String yaml =
        SMALL
                .replace("settings: { store: west", "settings: { store: esat")
                .replace("user:{id}:profile", "user:{id:profile")
            + "    setle: 2s\n    rate: many\nmanagment: { port: 1 }\n";

    assertThat(Configs.problems(yaml))
        .satisfiesExactlyInAnyOrder(
            p -> assertThat(p).startsWith("managment: ").contains("did you mean 'management'?"),
            p -> assertThat(p).startsWith("relations.user.setle: ").contains("'settle'", "line 11"),
            p -> assertThat(p).startsWith("relations.user.sides.profile.key: ").contains("'{'"),
            p ->
                assertThat(p)
                    .startsWith("relations.user.sides.settings.store: ")
                    .contains("'east'"),
            p -> assertThat(p).startsWith("relations.user.rate: ").contains("whole number"),
            p -> assertThat(p).startsWith("stores.west: ").contains("used by no relation"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "settle: 2 | relations.user.settle: '2' is not a duration; write a whole number",
        "settle: 0s | relations.user.settle: must be longer than zero",
        "settle: 1.5h | relations.user.settle: '1.5h' is not a duration",
        "memory: 1s | relations.user.memory: must not be shorter than settle",
        "patience: [1s] | relations.user.patience: expected text, not a list",
        "ttl-tolerance: | relations.user.ttl-tolerance: has no value",
        "writes: none | relations.user.writes: 'none' is not one of all, some",
        "intents: never | relations.user.intents: 'never' is not one of optional, required",
        "rate: 0 | relations.user.rate: expected a whole number from 1",
        "stamp-limit: 1e3 | relations.user.stamp-limit: expected a whole number",
        "generations: -1 | relations.user.generations: expected a whole number",
        "brake: { share: 20 } | relations.user.brake.share: expected a share above 0 and at most 1",
        "brake: { share: NaN } | relations.user.brake.share: expected a share above 0",
        "brake: on | relations.user.brake: expected a mapping (key: value), not text",
        "verdicts: { TORN_MISING: off } | relations.user.verdicts.TORN_MISING: is not a known key;"
            + " did you mean 'TORN_MISSING'?",
        "verdicts: { WHOLE: off } | relations.user.verdicts.WHOLE: is not a known key",
        "verdicts: { DIVERGED: maybe } | relations.user.verdicts.DIVERGED: 'maybe' is not one of"
            + " count, declare, off",
        "marker: { store: east, key: 'txn:committed' } | relations.user.marker.key: must contain"
            + " {token}",
        "marker: { store: east, key: 'txn:{token}:{nr}' } | relations.user.marker.key: uses {nr},"
            + " which is not captured",
        "marker: { key: 'txn:{token}' } | relations.user.marker.store: is missing",
        "marker: { store: east, key: 'txn:{token}', ttl: x } | relations.user.marker.ttl: 'x' is"
            + " not a duration",
        "marker: { store: east, key: 'txn:{token}', fenced: yes } | relations.user.marker.fenced:"
            + " 'yes' is not one of false, true",
        "repair: [] | relations.user.repair: is empty",
        "repair: report | relations.user.repair: expected a list",
        "repair: [ report ] | relations.user.repair.0: expected a mapping",
        "repair: [ { policy: roll-foward } ] | relations.user.repair.0.policy: 'roll-foward' is not"
            + " one of accept-newest, mark, report, roll-forward, source-of-truth; did you mean"
            + " roll-forward?",
        "repair: [ { policy: report, on: [WHOLE] } ] | relations.user.repair.0.on: 'WHOLE' is not"
            + " one of",
        "repair: [ { policy: report, source: x } ] | relations.user.repair.0.source: has no use"
            + " without policy: source-of-truth",
        "repair: [ { policy: mark } ] | relations.user.repair.0.policy: is mark, which needs a"
            + " marker",
        "repair: [ { policy: accept-newest } ] | relations.user.repair.0.regenerate: is missing",
        "repair: [ { policy: accept-newest, regenerate: copy } ] |"
            + " relations.user.repair.0.regenerate: is copy, but no two sides name the same"
            + " payload",
        "repair: [ { policy: accept-newest, regenerate: kopy } ] |"
            + " relations.user.repair.0.regenerate: 'kopy' is not one of copy",
        "repair: [ { policy: accept-newest, regenerate: {} } ] |"
            + " relations.user.repair.0.regenerate: names no side",
        "repair: [ { policy: accept-newest, regenerate: { profil: { from: settings, mapping: x } }"
            + " } ] | relations.user.repair.0.regenerate.profil: is no side of this relation; did"
            + " you mean 'profile'?",
        "repair: [ { policy: accept-newest, regenerate: { profile: { from: setings, mapping: x } }"
            + " } ] | relations.user.repair.0.regenerate.profile.from: is no side of this",
        "repair: [ { policy: accept-newest, regenerate: { profile: { from: profile, mapping: x } }"
            + " } ] | relations.user.repair.0.regenerate.profile.from: is the side itself",
        "repair: [ { policy: accept-newest, regenerate: { profile: { mapping: x } } } ] |"
            + " relations.user.repair.0.regenerate.profile.from: is missing",
        "repair: [ { policy: report, missing: delete } ] | relations.user.repair.0.missing: has no"
            + " use without policy: source-of-truth",
      })
  void shouldNameTheKeyOfARelationAndSayWhatWouldBeRight(String line, String problem) {
    expectOne(SMALL + "    " + line + "\n", problem);
  }

  @Test
  void shouldCompileAMappingAtStart() {
    String two =
        """
        stores: { east: { uri: "redis://h:1" } }
        relations:
          card:
            sides: { a: { store: east, key: "a:{id}" }, b: { store: east, key: "b:{id}" } }
            stamp: "{token}:{payload}"
            repair: [ { policy: accept-newest, regenerate: { b: { from: a, mapping: '%s' } } } ]
        """;

    String at = "relations.card.repair.0.regenerate.b.mapping: ";
    expectOne(two.formatted("{ \"theme\": "), at + "is no JSONata expression: ");
    expectOne(two.replace(", mapping: '%s'", ""), at + "is missing; without one the payload is");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "kafka: [ 'a b' ] | payloads.kafka: 'a b' is not the name of a topic",
        "files: [ data ] | payloads.files: expected an absolute folder",
        "files: [ /data/../etc ] | payloads.files: expected an absolute folder",
        "files: [ / ] | payloads.files: expected an absolute folder",
        "http: [ 'ftp://h/' ] | payloads.http: expected an address that ends with '/'",
        "http: [ 'http://h/p' ] | payloads.http: expected an address that ends with '/'",
        "http: [ 'http://me:secret@h/' ] | payloads.http: expected an address that ends with '/'",
        "http: [ 'http://h/a/../' ] | payloads.http: expected an address that ends with '/'",
        "limit: 0 | payloads.limit: expected a whole number from 1 to 33554432",
        "limit: 33554433 | payloads.limit: expected a whole number",
        "timeout: 0s | payloads.timeout: must be longer than zero",
        "ftp: [] | payloads.ftp: is not a known key",
      })
  void shouldNameTheKeyOfPayloadsByReference(String line, String problem) {
    expectOne(SMALL + "payloads:\n  " + line + "\n", problem);
  }

  @Test
  void shouldRefuseAKeyThatStandsTwice() {
    expectOne(
        Configs.withRelationLines("settle: 1s", "settle: 2s"),
        "relations.user.settle: stands twice; keep one (line 11 and line 12)");
  }

  @Test
  void shouldWantAnOrderWhereSomeSidesAreWritten() {
    String some = SMALL + "    writes: some\n";

    expectOne(
        some.replace("    version: { order: counter }\n", ""), "relations.user.writes: is some");
    expectOne(some.replace("counter", "none"), "relations.user.writes: is some");
    expectOne(some.replace("counter", "conuter"), "relations.user.version.order: 'conuter'");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{ order: timestamp } | relations.user.version.max-skew: is missing",
        "{ order: counter, max-skew: 1s } | relations.user.version.max-skew: has no use",
        "{ store: east, key: 'user:{id}:v' } | relations.user.version.order: is missing",
        "{ order: none, store: east, key: 'v' } | relations.user.version.order: is none",
        "{ order: counter, store: east } | relations.user.version.key: is missing",
        "{ order: counter, key: 'v' } | relations.user.version.store: is missing",
        "{ order: counter, store: nort, key: 'v' } | relations.user.version.store: no store 'nort'",
        "{ order: counter, store: east, key: '{uid}:v' } | relations.user.version.key: uses {uid},"
            + " which is not captured; did you mean 'id'?",
        "counter | relations.user.version: expected a mapping",
      })
  void shouldCheckTheVersion(String version, String problem) {
    expectOne(SMALL.replace("{ order: counter }", version), problem);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{token}:{payload} | relations.user.stamp: has no {version} or {timestamp}",
        "{version}:{token} | relations.user.stamp: a stamp template ends with {payload}",
        "{version}{token}:{payload} | relations.user.stamp: a separator must follow each field",
        "{version}:{tokn}:{payload} | relations.user.stamp: unknown field {tokn}",
      })
  void shouldCheckTheStamp(String stamp, String problem) {
    expectOne(SMALL.replace("{version}:{token}:{payload}", stamp), problem);
  }

  @Test
  void shouldWantATokenWhereAMarkerNamesIt() {
    String yaml = SMALL.replace("{version}:{token}:{payload}", "{version}:{payload}");

    assertThat(Configs.problems(yaml)).isEmpty();
    expectOne(
        yaml + "    marker: { store: east, key: 'txn:{token}' }\n",
        "relations.user.stamp: has no {token}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "user:{uid}:settings | relations.user.sides.settings.key: captures [uid], but side profile"
            + " captures [id]",
        "user:settings | relations.user.sides.settings.key: captures []",
        "user:{id}:} | relations.user.sides.settings.key: '}' without '{'",
        "user:{id}{x}:b | relations.user.sides.settings.key: two captures stand side by side",
      })
  void shouldCheckTheKeyOfASide(String key, String problem) {
    expectOne(SMALL.replace("user:{id}:settings", key), problem);
  }

  @Test
  void shouldRefuseMoreThanSixteenSides() {
    String sides =
        IntStream.rangeClosed(1, 15)
            .mapToObj(i -> "      s" + i + ": { store: east, key: \"user:{id}:" + i + "\" }\n")
            .collect(Collectors.joining());

    expectOne(
        SMALL.replace("    stamp:", sides + "    stamp:"),
        "relations.user.sides: a relation has 1 to 16 sides, not 17");
  }

  @Test
  void shouldRefuseASideThatSharesKeysWithAnother() {
    String other =
        """
          copy:
            sides: { only: { store: east, key: "user:7:{what}" } }
            stamp: "{token}:{payload}"
        """;

    expectOne(
        SMALL + other,
        "relations.copy.sides.only.key: some keys of store east",
        "user.profile (user:{id}:profile)",
        "copy.only (user:7:{what})");
    assertThat(Configs.problems(SMALL + other.replace("{what}", "{what}:more"))).isEmpty();
  }

  @Test
  void shouldRefuseLogsBesideOthersAndLogsWithoutToken() {
    String list = SMALL.replace("user:{id}:profile\"", "user:{id}:profile\", type: list");

    expectOne(list, "relations.user.sides: mixes logs");
    expectOne(
        list.replace("user:{id}:settings\"", "user:{id}:settings\", type: zset")
            .replace("{version}:{token}", "{version}"),
        "relations.user.stamp: has no {token}");
  }

  @Test
  void shouldCheckTheFieldsOfHashes() {
    String hash = SMALL.replace("user:{id}:profile\"", "user:{id}:profile\", type: hash");

    assertThat(Configs.problems(hash))
        .anySatisfy(
            p -> assertThat(p).startsWith("relations.user.sides.profile.fields: is missing"));
    expectOne(
        hash.replace("type: hash", "type: hash, fields: { version: v }"),
        "relations.user.sides.profile.fields.token: is missing");
    expectOne(
        hash.replace("type: hash", "fields: { token: t }"),
        "relations.user.sides.profile.fields: has no use without type: hash");
  }

  @Test
  void shouldRefuseAnUnusedStore() {
    expectOne(
        SMALL.replace("stores:\n", "stores:\n  old: { uri: redis://h }\n"),
        "stores.old: is used by no relation");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{ } | stores.east: needs exactly one of uri",
        "{ uri: redis://a, cluster: [redis://b] } | stores.east: needs exactly one of uri",
        "{ uri: http://a } | stores.east.uri: expected redis://HOST:PORT",
        "{ uri: redis://a:70000 } | stores.east.uri: the port is from 1 to 65535",
        "{ uris: redis://a } | stores.east.uris: expected a list",
        "{ uris: [] } | stores.east.uris: names no address",
        "{ uris: [redis://a, redis://a] } | stores.east.uris: names an address twice",
        "{ uris: [redis://a, rediss://b] } | stores.east.uris: mixes redis:// and rediss://",
        "{ uris: [redis://a], sharding: md5 } | stores.east.sharding: 'md5' is not one of crc32",
        "{ uri: redis://a, sharding: crc32 } | stores.east.sharding: has no use without uris",
        "{ cluster: [redis://a/3] } | stores.east.cluster: names a database",
        "{ uri: redis://a, tls: { truststore: x } } | stores.east.tls: has no use without an"
            + " address",
        "{ uri: redis://a, pasword: x } | stores.east.pasword: is not a known key; did you mean"
            + " 'password'?",
      })
  void shouldCheckAStore(String store, String problem) {
    expectOne(SMALL.replace("{ uri: \"redis://localhost:7001\" }", store), problem);
  }

  @Test
  void shouldNeverShowASecretInAProblem() {
    String yaml =
        SMALL.replace("redis://localhost:7001", "redis:/me:hunter2@localhost:7001")
            + "registry: { url: 'ftp://me:hunter2@h' }\n"
            + "sources: { db: { jdbc: 'postgresql://me:hunter2@h/x?password=hunter2' } }\n";

    assertThat(Configs.problems(yaml)).hasSizeGreaterThanOrEqualTo(3);
    assertThat(String.join("\n", Configs.problems(yaml))).doesNotContain("hunter2");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "management: { host: 0.0.0.0 } | management.token: is missing; it is required because host"
            + " 0.0.0.0 is not loopback",
        "management: { port: 99999 } | management.port: expected a whole number from 0 to 65535",
        "registry: { serde: avro } | registry.serde: 'avro' is not one of confluent, restitch",
        "registry: { url: localhost } | registry.url: expected a URL such as",
        "registry: { password: x } | registry.username: is missing; a password needs one",
        "topics: { prefix: 'a b' } | topics.prefix: 'a b' cannot begin a topic name",
        "topics: { partitions: 0 } | topics.partitions: expected a whole number from 1",
        "gap-patience: soon | gap-patience: 'soon' is not a duration",
        "kafka: { bootstrap.servers: [a] } | kafka.bootstrap.servers: ",
        "kafka: localhost | kafka: expected a mapping",
        "sources: { db: { jdbc: 'jdbc:x:y', query: { a: b } } } | sources.db: is used by no"
            + " relation",
      })
  void shouldCheckTheOtherSections(String line, String problem) {
    expectOne(SMALL + line + "\n", problem);
  }

  @ParameterizedTest
  @CsvSource({"127.0.0.1", "127.1.2.3", "localhost", "'::1'", "'0:0:0:0:0:0:0:1'"})
  void shouldNeedNoTokenOnLoopback(String host) {
    assertThat(Configs.problems(SMALL + "management: { host: '" + host + "' }\n")).isEmpty();
  }

  @Test
  void shouldWantAtLeastOneRelation() {
    assertThat(Configs.problems(""))
        .containsExactly("relations: declares no relation; at least one is needed");
  }

  @Test
  void shouldRefuseNamesThatInstancesCannotCarry() {
    expectOne(SMALL.replace("  user:", "  us/er:"), "relations.us/er: 'us/er' is not a name");
  }
}
