package dev.restitch.sandbox.workload;

import dev.restitch.avro.Incident;
import dev.restitch.avro.IncidentState;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Who was torn, who was found, what became of it, and what was found that nobody tore. The first
 * incident of an instance after its tear finds it; any other incident is false, unless a write that
 * was too slow explains it. Thread-safe.
 */
public final class Ledger {

  private static final int LATEST = 8;

  private final Map<String, Injection> injections = new LinkedHashMap<>();
  private final Map<String, Incident> others = new LinkedHashMap<>();
  private final List<SlowWrite> slowWrites = new ArrayList<>();
  private final Deque<Incident> latest = new ArrayDeque<>();
  private final Consumer<String> mended;

  /**
   * @param mended told, once each, the instances that were torn and are closed; must not block
   */
  public Ledger(Consumer<String> mended) {
    this.mended = mended;
  }

  /** Says that an instance is about to be torn: from now on an incident is right. */
  synchronized void tearing(Instance instance, Tear tear) {
    injections.put(instance.name(), new Injection(instance.name(), tear));
  }

  /**
   * Says when the tear of an instance is due to be declared.
   *
   * @param dueMillis end of its settle time, on this machine's clock
   */
  synchronized void due(Instance instance, long dueMillis) {
    injections.get(instance.name()).due(dueMillis);
  }

  /**
   * Takes note of an incident's present state.
   *
   * @param nowMillis this machine's clock
   */
  public void heard(Incident incident, long nowMillis) {
    boolean closedNow = false;
    synchronized (this) {
      Injection injection = injections.get(incident.getInstance());
      if (injection != null && injection.owns(incident.getId())) {
        closedNow = injection.heard(incident, nowMillis);
      } else {
        others.put(incident.getId(), incident);
      }
      latest.removeIf(i -> i.getId().equals(incident.getId()));
      latest.addLast(incident);
      if (latest.size() > LATEST) {
        latest.removeFirst();
      }
    }
    if (closedNow) {
      mended.accept(incident.getInstance());
    }
  }

  /** True for states in which nothing more is to come. */
  static boolean closed(IncidentState state) {
    return state == IncidentState.REPAIRED || state == IncidentState.HEALED;
  }

  /** All tears so far, as they stand, in the order that they were made. */
  public synchronized List<Injection.Standing> injections() {
    return injections.values().stream().map(Injection::standing).toList();
  }

  /** Notes a write that was meant to be whole and took longer than the settle time. */
  synchronized void slow(SlowWrite write) {
    slowWrites.add(write);
  }

  /** Writes that took longer than the settle time, against their will. */
  public synchronized int slowWrites() {
    return slowWrites.size();
  }

  /** Incidents that nothing explains, in their present state. */
  public synchronized List<Incident> falseIncidents() {
    return others.values().stream().filter(incident -> !explained(incident)).toList();
  }

  /** Incidents about writes that took longer than the settle time, in their present state. */
  public synchronized List<Incident> slowIncidents() {
    return others.values().stream().filter(this::explained).toList();
  }

  private boolean explained(Incident incident) {
    return slowWrites.stream().anyMatch(write -> write.explains(incident));
  }

  /** The incidents that were last heard of, the latest last. */
  public synchronized List<Incident> latest() {
    return new ArrayList<>(latest);
  }

  /** True if every tear is found and closed, and so is what slow writes have caused. */
  public boolean settled() {
    return injections().stream().allMatch(Injection.Standing::mended)
        && slowIncidents().stream().allMatch(incident -> closed(incident.getState()));
  }
}
