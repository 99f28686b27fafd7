package dev.restitch.topology;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntConsumer;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.internals.InternalProcessorContext;
import org.apache.kafka.streams.query.Position;
import org.apache.kafka.streams.state.internals.CacheFlushListener;
import org.apache.kafka.streams.state.internals.CachedStateStore;

/**
 * The states of one task's instances: an open-addressing table in memory, one array an instance,
 * whose changelog gets the net change of each commit. What changed several times is logged once,
 * and what came and was forgotten again is not logged at all.
 *
 * <p>Kafka Streams calls {@link #flushCache} before it commits a transaction, which is the only
 * moment at which what is logged belongs to that very transaction: {@link StateStore#flush} and
 * {@link StateStore#commit} come after it. That makes this a store with a cache in Streams' eyes.
 * The cache is the table itself: like every store in memory it is restored from its changelog
 * wherever a task begins anew.
 *
 * <p>An instance has a row, the same as long as it is remembered. Used by the task's thread only.
 */
final class InstanceTable implements StateStore, CachedStateStore<byte[], byte[]> {

  /** Instances are spread over so many parts, always the same ones: {@link #part}. */
  static final int PARTS = 1 << 12;

  private static final int PART_SHIFT = Integer.numberOfLeadingZeros(PARTS) + 1;
  private static final int SPREAD = 0x9e3779b9;
  private static final int FEWEST_SLOTS = PARTS;

  private final String name;
  private Changelog changelog = (key, state) -> {};
  private Runnable beforeCommit = () -> {};
  private boolean open;

  private int[] slots = new int[FEWEST_SLOTS];
  private int slotShift = Integer.numberOfLeadingZeros(FEWEST_SLOTS) + 1;
  private final InstanceRows rows = new InstanceRows();
  private final BitSet logged = new BitSet();
  private final BitSet dirty = new BitSet();

  InstanceTable(String name) {
    this.name = name;
  }

  @Override
  public String name() {
    return name;
  }

  /** Takes what is logged; a state that is null was forgotten. */
  @FunctionalInterface
  interface Changelog {
    void log(byte[] key, byte[] state);
  }

  @Override
  public void init(StateStoreContext storeContext, StateStore root) {
    InternalProcessorContext<?, ?> context = (InternalProcessorContext<?, ?>) storeContext;
    open(
        (key, state) ->
            context.logChange(
                name,
                Bytes.wrap(key),
                state,
                context.currentSystemTimeMs(),
                new RecordHeaders(),
                Position.emptyPosition()));
    storeContext.register(root, this::restore);
  }

  void open(Changelog log) {
    changelog = log;
    open = true;
  }

  /** Takes a record of the changelog. */
  void restore(byte[] key, byte[] state) {
    int row = find(key);
    if (state == null) {
      if (row >= 0) {
        release(row);
      }
      return;
    }
    if (row < 0) {
      row = insert(key);
    }
    rows.setState(row, state, 0, state.length);
    logged.set(row);
    dirty.clear(row);
  }

  /** Called before each commit, so that what it writes to other stores belongs to it. */
  void beforeCommit(Runnable work) {
    beforeCommit = work;
  }

  /** The hash that spreads keys over partitions, and instances over this table. */
  static int hash(byte[] key) {
    return Utils.murmur2(key);
  }

  static byte[] key(String instance) {
    return instance.getBytes(StandardCharsets.UTF_8);
  }

  private int find(byte[] key) {
    return find(key, hash(key));
  }

  /** The row of an instance; -1 if it has none. */
  int find(byte[] key, int hash) {
    int mask = slots.length - 1;
    for (int slot = home(hash); slots[slot] != 0; slot = (slot + 1) & mask) {
      int row = slots[slot] - 1;
      if (rows.hash(row) == hash && rows.hasKey(row, key)) {
        return row;
      }
    }
    return -1;
  }

  /** The row's array, in which its state begins at {@link #stateAt}; null if it has no state. */
  byte[] array(int row) {
    return rows.hasState(row) ? rows.array(row) : null;
  }

  /** Where the state begins in the row's array. */
  int stateAt(int row) {
    return rows.stateAt(row);
  }

  /** The name of the instance in a row that is in use. */
  String instance(int row) {
    return new String(rows.key(row), StandardCharsets.UTF_8);
  }

  /** True if a row is in use and has a state. */
  boolean remembers(int row) {
    return rows.hasState(row);
  }

  /** Sets the state of an instance; returns its row. */
  int put(byte[] key, int hash, byte[] state) {
    int row = find(key, hash);
    if (row < 0) {
      row = insert(key, hash);
    }
    rows.setState(row, state, 0, state.length);
    dirty.set(row);
    return row;
  }

  /** Forgets the state in a row; the row is free again after the next commit. */
  void forget(int row) {
    rows.clearState(row);
    dirty.set(row);
  }

  private int insert(byte[] key) {
    return insert(key, hash(key));
  }

  private int insert(byte[] key, int hash) {
    if ((rows.used() + 1) * 2 > slots.length) {
      grow();
    }
    int row = rows.take(key, hash);
    place(row, hash);
    return row;
  }

  private void place(int row, int hash) {
    int mask = slots.length - 1;
    int slot = home(hash);
    while (slots[slot] != 0) {
      slot = (slot + 1) & mask;
    }
    slots[slot] = row + 1;
  }

  private void grow() {
    int[] before = slots;
    slots = new int[before.length * 2];
    slotShift--;
    for (int entry : before) {
      if (entry != 0) {
        place(entry - 1, rows.hash(entry - 1));
      }
    }
  }

  /** The high bits decide: the low ones are the same for all keys of a partition. */
  private int home(int hash) {
    return (hash * SPREAD) >>> slotShift;
  }

  /** Frees a row, and closes the hole that it leaves among the slots. */
  private void release(int row) {
    int mask = slots.length - 1;
    int hole = home(rows.hash(row));
    while (slots[hole] != row + 1) {
      hole = (hole + 1) & mask;
    }
    for (int slot = (hole + 1) & mask; slots[slot] != 0; slot = (slot + 1) & mask) {
      int home = home(rows.hash(slots[slot] - 1));
      if (((slot - home) & mask) >= ((slot - hole) & mask)) {
        slots[hole] = slots[slot];
        hole = slot;
      }
    }
    slots[hole] = 0;
    rows.free(row);
    logged.clear(row);
    dirty.clear(row);
  }

  /** Instances remembered. */
  int size() {
    return rows.withState();
  }

  /** Calls back with every row that has a state. */
  void forEach(IntConsumer take) {
    for (int row = 0; row < rows.end(); row++) {
      if (rows.hasState(row)) {
        take.accept(row);
      }
    }
  }

  /** The names of the instances of one part, 0 to {@link #PARTS}. */
  List<String> part(int part) {
    List<String> instances = new ArrayList<>();
    int mask = slots.length - 1;
    int slot = part << (PART_SHIFT - slotShift);
    int end = (part + 1) << (PART_SHIFT - slotShift);
    for (; slot < end || slots[slot & mask] != 0; slot++) {
      int row = slots[slot & mask] - 1;
      if (row >= 0 && rows.hasState(row) && (rows.hash(row) * SPREAD) >>> PART_SHIFT == part) {
        instances.add(instance(row));
      }
    }
    return instances;
  }

  /** Logs the net change since the last commit. */
  @Override
  public void flushCache() {
    beforeCommit.run();
    for (int row = dirty.nextSetBit(0); row >= 0; row = dirty.nextSetBit(row + 1)) {
      if (rows.hasState(row)) {
        changelog.log(rows.key(row), rows.state(row));
        logged.set(row);
      } else {
        if (logged.get(row)) {
          changelog.log(rows.key(row), null);
        }
        release(row);
      }
    }
    dirty.clear();
  }

  @Override
  public boolean setFlushListener(
      CacheFlushListener<byte[], byte[]> listener, boolean sendOldValues) {
    return false; // nobody listens to changes
  }

  /** Called where a task is given up; the store is closed and restored. */
  @Override
  public void clearCache() {
    dirty.clear();
  }

  @Override
  public void close() {
    open = false;
    rows.clear();
    Arrays.fill(slots, 0);
    logged.clear();
    dirty.clear();
  }

  @Override
  public boolean persistent() {
    return false;
  }

  @Override
  public boolean isOpen() {
    return open;
  }
}
