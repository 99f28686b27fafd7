package dev.restitch.sandbox.workload;

import dev.restitch.config.RelationConfig;
import dev.restitch.model.StoreKey;
import dev.restitch.stamp.StampTemplate;
import dev.restitch.store.StoreClient;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Compares every instance in the stores with the truth, when nobody writes any more. */
public final class Checker {

  private static final int AT_ONCE = 200;
  private static final int TIMEOUT_SECONDS = 30;

  private final Map<String, StoreClient> stores;
  private final Truth truth;

  public Checker(Map<String, StoreClient> stores, Truth truth) {
    this.stores = Map.copyOf(stores);
    this.truth = truth;
  }

  /** What one instance holds: the raw values of its sides; null where a key is absent. */
  private record Held(Instance instance, List<byte[]> values) {}

  /**
   * Reads everything that the workload may have written.
   *
   * @throws ExecutionException if a store does not answer
   */
  public List<Discrepancy> check(Workload workload)
      throws InterruptedException, ExecutionException, TimeoutException, SQLException {
    Map<String, Map<String, List<String>>> rows = new HashMap<>();
    for (String relation : Truth.TABLES.keySet()) {
      rows.put(relation, truth.rows(relation));
    }
    List<Discrepancy> found = new ArrayList<>();
    List<Instance> all = workload.instances();
    for (int from = 0; from < all.size(); from += AT_ONCE) {
      List<Instance> some = all.subList(from, Math.min(all.size(), from + AT_ONCE));
      for (Held held : read(some)) {
        check(held, rows.get(held.instance().relation().name())).ifPresent(found::add);
      }
    }
    return found;
  }

  private List<Held> read(List<Instance> instances)
      throws InterruptedException, ExecutionException, TimeoutException {
    List<List<CompletableFuture<byte[]>>> asked = new ArrayList<>();
    for (Instance instance : instances) {
      asked.add(
          instance.relation().keysOf(instance.name()).stream()
              .map(key -> store(key).commands(key.key()).get(key.key().toArray()))
              .map(answer -> answer.toCompletableFuture())
              .toList());
    }
    List<Held> held = new ArrayList<>();
    for (int i = 0; i < asked.size(); i++) {
      List<byte[]> values = new ArrayList<>();
      for (CompletableFuture<byte[]> answer : asked.get(i)) {
        values.add(answer.get(TIMEOUT_SECONDS, TimeUnit.SECONDS));
      }
      held.add(new Held(instances.get(i), values));
    }
    return held;
  }

  private Optional<Discrepancy> check(Held held, Map<String, List<String>> rows)
      throws InterruptedException, ExecutionException, TimeoutException {
    Instance instance = held.instance();
    List<byte[]> values = held.values();
    if (values.stream().allMatch(v -> v == null)) {
      boolean expected =
          rows == null ? truth.newest(instance).isPresent() : rows.containsKey(instance.id());
      return expected ? untrue(instance, "is absent") : Optional.empty();
    }
    if (values.stream().anyMatch(v -> v == null)) {
      return torn(instance, "has only one side");
    }
    StampTemplate template = instance.relation().stamp();
    List<Optional<StampTemplate.Parsed>> stamps = values.stream().map(template::read).toList();
    if (stamps.stream().anyMatch(Optional::isEmpty)) {
      return torn(instance, "has a side without a stamp");
    }
    StampTemplate.Parsed stamp = stamps.get(0).orElseThrow();
    if (!stamp.equals(stamps.get(1).orElseThrow())) {
      return torn(
          instance, "stands at " + stamp.stamp() + " and " + stamps.get(1).orElseThrow().stamp());
    }
    if (markerIsMissing(instance, stamp)) {
      return torn(instance, "has no commit marker for " + stamp.stamp());
    }
    return rows == null
        ? againstNewest(instance, stamp, values)
        : againstRow(instance, stamp.payloadOffset(), values, rows.get(instance.id()));
  }

  private boolean markerIsMissing(Instance instance, StampTemplate.Parsed stamp)
      throws InterruptedException, ExecutionException, TimeoutException {
    Optional<StoreKey> marker =
        instance.relation().markerOf(instance.name(), stamp.stamp().token());
    if (marker.isEmpty()) {
      return false;
    }
    StoreKey key = marker.get();
    return store(key)
            .commands(key.key())
            .exists(key.key().toArray())
            .get(TIMEOUT_SECONDS, TimeUnit.SECONDS)
        == 0;
  }

  private static Optional<Discrepancy> againstRow(
      Instance instance, int offset, List<byte[]> values, List<String> row) {
    if (row == null) {
      return untrue(instance, "is not in the database");
    }
    for (int side = 0; side < values.size(); side++) {
      if (!payload(values.get(side), offset).equals(row.get(side))) {
        return untrue(
            instance,
            "side " + instance.relation().sides().get(side).name() + " differs from the database");
      }
    }
    return Optional.empty();
  }

  private Optional<Discrepancy> againstNewest(
      Instance instance, StampTemplate.Parsed stamp, List<byte[]> values) {
    RelationConfig relation = instance.relation();
    Optional<Truth.Standing> standing = truth.newest(instance);
    if (standing.isEmpty()) {
      return untrue(instance, "stands at " + stamp.stamp() + ", though no write came to its end");
    }
    Truth.Standing newest = standing.get();
    if (!newest.stamp().equals(stamp.stamp())) {
      return untrue(instance, "stands at " + stamp.stamp() + ", newest is " + newest.stamp());
    }
    for (int side = 0; side < values.size(); side++) {
      String expected = newest.payloads().text(relation, side);
      if (!payload(values.get(side), stamp.payloadOffset()).equals(expected)) {
        return untrue(
            instance, "side " + relation.sides().get(side).name() + " carries another payload");
      }
    }
    return Optional.empty();
  }

  private static String payload(byte[] value, int offset) {
    return new String(Arrays.copyOfRange(value, offset, value.length), StandardCharsets.UTF_8);
  }

  private StoreClient store(StoreKey key) {
    return stores.get(key.store());
  }

  private static Optional<Discrepancy> torn(Instance instance, String detail) {
    return Optional.of(new Discrepancy(instance.name(), true, detail));
  }

  private static Optional<Discrepancy> untrue(Instance instance, String detail) {
    return Optional.of(new Discrepancy(instance.name(), false, detail));
  }
}
