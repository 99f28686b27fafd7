package dev.restitch.config;

import dev.restitch.key.InstanceName;
import dev.restitch.key.KeyPattern;
import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import dev.restitch.model.Verdict;
import dev.restitch.stamp.StampTemplate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A relation: 1 to 16 sides that belong together. Validated before it is made.
 *
 * @param sides in the order of the configuration
 * @param marker the commit marker; null: none
 * @param writesAll true: every transaction writes every side
 * @param memory how long the highest effective stamp of a side is remembered
 * @param stampLimit longest stamp in bytes
 * @param rate repairs a second and store
 * @param concurrency repairs in progress at a time, on each store and by each worker
 * @param approval true: a person approves each incident's repair before it is made
 * @param generations most source-of-truth rewrites of an instance an hour
 * @param verdicts switches; a verdict that is not named is declared (UNDECIDED: counted)
 */
public record RelationConfig(
    String name,
    List<SideConfig> sides,
    StampTemplate stamp,
    VersionConfig version,
    MarkerConfig marker,
    boolean writesAll,
    boolean intentsRequired,
    Duration settle,
    Duration memory,
    Duration ttlTolerance,
    Duration patience,
    List<RepairPolicyConfig> repair,
    int stampLimit,
    int rate,
    int concurrency,
    boolean approval,
    Brake brake,
    int generations,
    Map<Verdict, VerdictSwitch> verdicts) {

  /** When repair stops by itself: a share of judged instances torn within a minute. */
  public record Brake(double share, int count) {}

  /** What happens to a verdict. */
  public enum VerdictSwitch {
    DECLARE,
    COUNT,
    OFF
  }

  /** The capture names, in the order of the first side's pattern. */
  public List<String> captureNames() {
    return sides.get(0).key().names();
  }

  /** True if the sides are append-only logs. */
  public boolean log() {
    return sides.get(0).type().log();
  }

  /** What happens to a verdict: as configured, else declared (UNDECIDED: counted). */
  public VerdictSwitch switchOf(Verdict verdict) {
    VerdictSwitch usual =
        verdict == Verdict.UNDECIDED ? VerdictSwitch.COUNT : VerdictSwitch.DECLARE;
    return verdicts.getOrDefault(verdict, usual);
  }

  /** The instance that a key of this side belongs to; empty if the key does not match. */
  public Optional<String> instanceOf(int side, Bytes key) {
    KeyPattern pattern = sides.get(side).key();
    return pattern.match(key).map(c -> InstanceName.of(name, reorder(pattern.names(), c)));
  }

  private List<Bytes> reorder(List<String> names, List<Bytes> captures) {
    List<String> wanted = captureNames();
    if (names.equals(wanted)) {
      return captures;
    }
    List<Bytes> ordered = new ArrayList<>(captures.size());
    for (String name : wanted) {
      ordered.add(captures.get(names.indexOf(name)));
    }
    return ordered;
  }

  /**
   * The key of a side.
   *
   * @throws IllegalArgumentException if the instance has not as many ids as this relation captures
   */
  public StoreKey keyOf(String instance, int side) {
    SideConfig config = sides.get(side);
    return new StoreKey(config.store(), format(config.key(), instance, null));
  }

  /** All keys of an instance, in side order. */
  public List<StoreKey> keysOf(String instance) {
    List<StoreKey> keys = new ArrayList<>(sides.size());
    List<Bytes> ids = InstanceName.ids(instance);
    for (SideConfig side : sides) {
      keys.add(new StoreKey(side.store(), format(side.key(), instance, ids, null)));
    }
    return keys;
  }

  /** The marker's key for a token; empty where the relation has no marker. */
  public Optional<StoreKey> markerOf(String instance, Bytes token) {
    return marker == null
        ? Optional.empty()
        : Optional.of(new StoreKey(marker.store(), format(marker.key(), instance, token)));
  }

  /** The key of the version counter; empty where Restitch does not mint. */
  public Optional<StoreKey> counterOf(String instance) {
    return version.mintable()
        ? Optional.of(new StoreKey(version.store(), format(version.key(), instance, null)))
        : Optional.empty();
  }

  private Bytes format(KeyPattern pattern, String instance, Bytes token) {
    return format(pattern, instance, InstanceName.ids(instance), token);
  }

  private Bytes format(KeyPattern pattern, String instance, List<Bytes> ids, Bytes token) {
    List<String> names = captureNames();
    if (ids.size() != names.size()) {
      throw new IllegalArgumentException(
          "instance " + instance + " has " + ids.size() + " ids; " + name + " captures " + names);
    }
    List<Bytes> captures = new ArrayList<>(names.size() + 1);
    for (String wanted : pattern.names()) {
      int at = names.indexOf(wanted);
      captures.add(at < 0 && "token".equals(wanted) ? token : ids.get(at));
    }
    return pattern.format(captures);
  }
}
