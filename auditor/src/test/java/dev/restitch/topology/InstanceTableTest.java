package dev.restitch.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class InstanceTableTest {

  private record Logged(String instance, String state) {}

  private final List<Logged> changelog = new ArrayList<>();
  private final InstanceTable table = open();

  private InstanceTable open() {
    InstanceTable opened = new InstanceTable("states");
    opened.open((key, state) -> changelog.add(new Logged(text(key), text(state))));
    return opened;
  }

  private static String text(byte[] bytes) {
    return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private void put(String instance, String state) {
    table.put(bytes(instance), InstanceTable.hash(bytes(instance)), bytes(state));
  }

  private void forget(String instance) {
    table.forget(table.find(bytes(instance), InstanceTable.hash(bytes(instance))));
  }

  private static String get(InstanceTable table, String instance) {
    int row = table.find(bytes(instance), InstanceTable.hash(bytes(instance)));
    if (row < 0 || !table.remembers(row)) {
      return null;
    }
    byte[] array = table.array(row);
    return text(Arrays.copyOfRange(array, table.stateAt(row), array.length));
  }

  @Test
  void shouldLogTheNetChangeOfACommitAndNothingElse() {
    put("user/1", "a");
    put("user/1", "b");
    put("user/2", "c");
    forget("user/2");
    assertThat(changelog).isEmpty();

    table.flushCache();
    assertThat(changelog).containsExactly(new Logged("user/1", "b"));

    forget("user/1");
    table.flushCache();
    table.flushCache();
    assertThat(changelog).containsExactly(new Logged("user/1", "b"), new Logged("user/1", null));
  }

  @Test
  void shouldKeepAnInstanceThatComesBackBeforeTheCommit() {
    put("user/1", "a");
    table.flushCache();
    forget("user/1");
    put("user/1", "b");
    table.flushCache();

    assertThat(changelog).containsExactly(new Logged("user/1", "a"), new Logged("user/1", "b"));
    assertThat(table.size()).isOne();
  }

  @Test
  void shouldHoldWhatAPlainMapHoldsAndBeRestoredFromItsChangelog() {
    Random random = new Random(3);
    Map<String, String> model = new HashMap<>();
    for (int i = 0; i < 200_000; i++) {
      String instance =
          "user/" + "x".repeat(random.nextInt(200) == 0 ? 300 : 0) + random.nextInt(20_000);
      if (random.nextInt(3) > 0) {
        model.put(instance, "s" + random.nextInt(100_000));
        put(instance, model.get(instance));
      } else if (model.remove(instance) != null) {
        forget(instance);
      }
      if (i % 1_000 == 0) {
        table.flushCache();
      }
    }
    table.flushCache();
    InstanceTable restored = open();
    for (Logged record : changelog) {
      restored.restore(
          bytes(record.instance()), record.state() == null ? null : bytes(record.state()));
    }

    for (InstanceTable held : new InstanceTable[] {table, restored}) {
      assertThat(held.size()).isEqualTo(model.size());
      model.forEach((instance, state) -> assertThat(get(held, instance)).isEqualTo(state));
    }
    changelog.clear();
    restored.flushCache();
    assertThat(changelog).as("what is restored is not logged again").isEmpty();
  }

  @Test
  void shouldDivideTheInstancesAmongItsParts() {
    Set<String> all = new HashSet<>();
    for (int i = 0; i < 50_000; i++) {
      put("user/" + i, "s");
      all.add("user/" + i);
    }
    forget("user/17");
    all.remove("user/17");

    List<String> found = new ArrayList<>();
    for (int part = 0; part < InstanceTable.PARTS; part++) {
      found.addAll(table.part(part));
    }
    assertThat(found).containsExactlyInAnyOrderElementsOf(all);
  }

  @Test
  void shouldWriteWhatBelongsToACommitBeforeIt() {
    table.beforeCommit(() -> changelog.add(new Logged("before", null)));
    put("user/1", "a");

    table.flushCache();

    assertThat(changelog).containsExactly(new Logged("before", null), new Logged("user/1", "a"));
  }
}
