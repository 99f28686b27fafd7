package dev.restitch.probe;

import dev.restitch.avro.EvidenceSource;
import dev.restitch.avro.KeyRef;
import dev.restitch.avro.KeyState;
import dev.restitch.avro.ProbeRequest;
import dev.restitch.avro.Reading;
import dev.restitch.avro.Snapshot;
import dev.restitch.config.Relations;
import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import dev.restitch.read.SideReader;
import dev.restitch.store.StoreNode;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Reads all keys, then all again, then asks the primaries who they are. Where both passes read the
 * same on the same processes, which were primaries after the second, all readings stood together
 * between the passes: the snapshot is stable. Never blocks.
 */
public final class DoubleCollect {

  private final Relations relations;
  private final SideReader reader;
  private final Clock clock;
  private final PrimaryChecks primaries = new PrimaryChecks();
  private final AtomicLong undeclared = new AtomicLong();

  /** Reads by this reader; keys of no relation are unreadable. */
  public DoubleCollect(Relations relations, SideReader reader, Clock clock) {
    this.relations = relations;
    this.reader = reader;
    this.clock = clock;
  }

  private record Ask(StoreKey key, Supplier<CompletableFuture<Reading>> read) {}

  /** Completes with the answer; what cannot be read is said in it. */
  public CompletableFuture<Snapshot> answer(ProbeRequest request) {
    List<Ask> asks = new ArrayList<>();
    request.getKeys().forEach(key -> asks.add(side(keyOf(key))));
    request.getMarkers().forEach(marker -> asks.add(marker(keyOf(marker))));
    return pass(asks)
        .thenCompose(
            first ->
                pass(asks)
                    .thenCompose(
                        second ->
                            stable(asks, first, second)
                                .thenApply(stable -> snapshot(request, second, stable))));
  }

  /** Keys asked for that no relation declares, so far. */
  long undeclared() {
    return undeclared.get();
  }

  private Ask side(StoreKey key) {
    return relations
        .resolve(key.store(), key.key())
        .map(side -> new Ask(key, () -> reader.read(side)))
        .orElseGet(
            () -> {
              undeclared.incrementAndGet();
              return new Ask(
                  key, () -> CompletableFuture.completedFuture(SideReader.unreadable(key)));
            });
  }

  private Ask marker(StoreKey key) {
    return new Ask(key, () -> reader.readMarker(key));
  }

  private static StoreKey keyOf(KeyRef ref) {
    return new StoreKey(ref.getStore(), Bytes.copyOf(ref.getKey()));
  }

  private static CompletableFuture<List<Reading>> pass(List<Ask> asks) {
    List<CompletableFuture<Reading>> readings = asks.stream().map(ask -> ask.read().get()).toList();
    return CompletableFuture.allOf(readings.toArray(CompletableFuture<?>[]::new))
        .thenApply(done -> readings.stream().map(CompletableFuture::join).toList());
  }

  private CompletableFuture<Boolean> stable(
      List<Ask> asks, List<Reading> first, List<Reading> second) {
    Map<StoreNode, String> processes = new HashMap<>();
    for (int i = 0; i < asks.size(); i++) {
      Optional<StoreNode> node = reader.nodeOf(asks.get(i).key());
      String process = second.get(i).getPrimary();
      if (node.isEmpty()
          || process == null
          || !alike(first.get(i), second.get(i))
          || !process.equals(processes.getOrDefault(node.get(), process))) {
        return CompletableFuture.completedFuture(false);
      }
      processes.put(node.get(), process);
    }
    List<CompletableFuture<Boolean>> same = new ArrayList<>();
    processes.forEach(
        (node, process) ->
            same.add(primaries.runIdOf(node).thenApply(Optional.of(process)::equals)));
    return CompletableFuture.allOf(same.toArray(CompletableFuture<?>[]::new))
        .thenApply(done -> same.stream().allMatch(CompletableFuture::join));
  }

  /** True if both read the same from the same process; a TTL that runs on is no difference. */
  private static boolean alike(Reading a, Reading b) {
    return a.getState() == b.getState()
        && a.getState() != KeyState.UNREADABLE
        && Objects.equals(a.getPrimary(), b.getPrimary())
        && Objects.equals(a.getVersion(), b.getVersion())
        && Objects.equals(a.getToken(), b.getToken())
        && Objects.equals(a.getTokens(), b.getTokens())
        && Objects.equals(a.getLength(), b.getLength())
        && Objects.equals(a.getDigest(), b.getDigest());
  }

  private Snapshot snapshot(ProbeRequest request, List<Reading> readings, boolean stable) {
    return Snapshot.newBuilder()
        .setInstance(request.getInstance())
        .setSeq(request.getSeq())
        .setAskedAtMillis(request.getAskedAtMillis())
        .setSource(EvidenceSource.PROBE)
        .setStable(stable)
        .setSides(readings)
        .setTakenAtMillis(clock.millis())
        .build();
  }
}
