package dev.restitch.topic;

import dev.restitch.avro.Control;
import dev.restitch.avro.Coverage;
import dev.restitch.avro.Done;
import dev.restitch.avro.Gap;
import dev.restitch.avro.Incident;
import dev.restitch.avro.Intent;
import dev.restitch.avro.Observation;
import dev.restitch.avro.ProbeRequest;
import dev.restitch.avro.RepairCommand;
import dev.restitch.avro.RepairOutcome;
import dev.restitch.avro.Snapshot;
import dev.restitch.avro.Sweep;
import dev.restitch.avro.Tally;
import dev.restitch.topic.Topic.Cleanup;
import dev.restitch.topic.Topic.KeyMeaning;
import java.util.List;
import java.util.Optional;
import org.apache.avro.specific.SpecificRecord;

/** The topics of the contract. */
public final class Topics {

  /** Writers and the worker say what they write ({@link Intent}) and wrote ({@link Done}). */
  public static final Topic<SpecificRecord> INTENTS =
      new Topic<>(
          "intents",
          List.of(Intent.class, Done.class),
          KeyMeaning.INSTANCE,
          Cleanup.DELETE,
          true,
          true);

  /** Watchers and readers say what a side looked like. */
  public static final Topic<Observation> OBSERVATIONS =
      judged("observations", Observation.class, KeyMeaning.INSTANCE);

  /** The judge asks for snapshots. */
  public static final Topic<ProbeRequest> PROBES =
      issued("probes", ProbeRequest.class, KeyMeaning.INSTANCE, Cleanup.DELETE);

  /** Probers and sweepers say what stood together. */
  public static final Topic<Snapshot> SNAPSHOTS =
      judged("snapshots", Snapshot.class, KeyMeaning.INSTANCE);

  /** The judge commands repairs. */
  public static final Topic<RepairCommand> REPAIRS =
      issued("repairs", RepairCommand.class, KeyMeaning.INSTANCE, Cleanup.DELETE);

  /** Workers say what became of a repair. */
  public static final Topic<RepairOutcome> OUTCOMES =
      judged("outcomes", RepairOutcome.class, KeyMeaning.INSTANCE);

  /** Watchers say when notifications may have been lost; one copy to every partition. */
  public static final Topic<Gap> GAPS = judged("gaps", Gap.class, KeyMeaning.NODE);

  /** The judge declares incidents, each in its present state. */
  public static final Topic<Incident> INCIDENTS =
      issued("incidents", Incident.class, KeyMeaning.INCIDENT, Cleanup.COMPACT_AND_DELETE);

  /** Watchers say up to when a node is covered. */
  public static final Topic<Coverage> COVERAGE =
      issued("coverage", Coverage.class, KeyMeaning.NODE, Cleanup.COMPACT);

  /** Sweepers say how far they came. */
  public static final Topic<Sweep> SWEEPS =
      issued("sweeps", Sweep.class, KeyMeaning.NODE, Cleanup.COMPACT);

  /** Operators pause, approve, suppress and set rates; one copy to every partition. */
  public static final Topic<Control> CONTROL =
      new Topic<>(
          "control", List.of(Control.class), KeyMeaning.SETTING, Cleanup.COMPACT, true, true);

  /** Auditors say how many instances they have judged, and found torn, within the last minute. */
  public static final Topic<Tally> TALLIES =
      issued("tallies", Tally.class, KeyMeaning.AUDITOR, Cleanup.COMPACT);

  /** Records that could not be used, byte for byte, with headers that say why. */
  public static final Topic<byte[]> DEAD_LETTERS =
      new Topic<>(
          "dead-letters", List.of(byte[].class), KeyMeaning.RAW, Cleanup.DELETE, false, false);

  private static final List<Topic<?>> ALL =
      List.of(
          INTENTS,
          OBSERVATIONS,
          PROBES,
          SNAPSHOTS,
          REPAIRS,
          OUTCOMES,
          GAPS,
          INCIDENTS,
          COVERAGE,
          SWEEPS,
          CONTROL,
          TALLIES,
          DEAD_LETTERS);

  private Topics() {}

  /** Every topic, in a fixed order. */
  public static List<Topic<?>> all() {
    return ALL;
  }

  /** The topic that carries values of this class; empty for a class that is not of the contract. */
  public static Optional<Topic<?>> carrying(Class<?> type) {
    return ALL.stream().filter(topic -> topic.carries(type)).findFirst();
  }

  private static <V> Topic<V> judged(String name, Class<V> value, KeyMeaning key) {
    return new Topic<>(name, List.of(value), key, Cleanup.DELETE, true, true);
  }

  private static <V> Topic<V> issued(String name, Class<V> value, KeyMeaning key, Cleanup cleanup) {
    return new Topic<>(name, List.of(value), key, cleanup, false, false);
  }
}
