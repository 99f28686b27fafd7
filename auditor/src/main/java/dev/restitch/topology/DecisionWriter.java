package dev.restitch.topology;

import dev.restitch.avro.IncidentState;
import dev.restitch.avro.KeyRef;
import dev.restitch.avro.KeyState;
import dev.restitch.avro.Policy;
import dev.restitch.avro.ProbeRequest;
import dev.restitch.avro.RepairCommand;
import dev.restitch.avro.TimelineEntry;
import dev.restitch.judge.Decision;
import dev.restitch.judge.Incident;
import dev.restitch.judge.Reading;
import dev.restitch.key.InstanceName;
import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;

/** Makes the records of the topics of the judge's decisions. Stateless. */
final class DecisionWriter {

  private DecisionWriter() {}

  static ProbeRequest probe(Decision.Ask ask) {
    return ProbeRequest.newBuilder()
        .setInstance(ask.instance())
        .setSeq(ask.seq())
        .setAskedAtMillis(ask.askedAt())
        .setAttempt(ask.attempt())
        .setKeys(keys(ask.keys()))
        .setMarkers(keys(ask.markers()))
        .setReason(ask.reason())
        .build();
  }

  static RepairCommand repair(Decision.Repair r) {
    return RepairCommand.newBuilder()
        .setId(r.id())
        .setIncident(r.incident())
        .setInstance(r.instance())
        .setRelation(InstanceName.relation(r.instance()))
        .setVerdict(r.verdict().name())
        .setPolicy(Policy.valueOf(r.policy().name()))
        .setGeneration(r.generation())
        .setAttempt(r.attempt())
        .setToken(r.stamp() == null ? null : r.stamp().token().toBuffer())
        .setVersion(r.stamp() == null ? null : r.stamp().version())
        .setHighestVersion(r.highestVersion())
        .setExpected(r.expected().stream().map(DecisionWriter::reading).toList())
        .setBehind(keys(r.behind()))
        .setMarkerTtlMillis(r.markerTtlMillis())
        .setIntentPartition(r.intentPartition() < 0 ? null : r.intentPartition())
        .setIntentOffset(r.intentOffset() < 0 ? null : r.intentOffset())
        .setIssuedAtMillis(r.issuedAt())
        .setNotAfterMillis(r.notAfter())
        .build();
  }

  static dev.restitch.avro.Incident incident(String instance, Incident i) {
    return dev.restitch.avro.Incident.newBuilder()
        .setId(i.id)
        .setInstance(instance)
        .setRelation(InstanceName.relation(instance))
        .setVerdict(i.verdict.name())
        .setState(IncidentState.valueOf(i.phase.name()))
        .setToken(i.stamp == null ? null : i.stamp.token().toBuffer())
        .setVersion(i.stamp == null ? null : i.stamp.version())
        .setBehind(keys(i.behind))
        .setRule(i.rule)
        .setBasis(i.fromObservations ? "observations" : null)
        .setAction(i.action)
        .setSuspectedAtMillis(i.suspectedAt)
        .setDueAtMillis(i.dueAt)
        .setDeclaredAtMillis(i.declaredAt)
        .setUpdatedAtMillis(i.updatedAt)
        .setClosedAtMillis(i.closedAt < 0 ? null : i.closedAt)
        .setGeneration(i.generation)
        .setAttempts(i.attempts)
        .setLastOutcome(i.lastOutcome)
        .setEvidence(i.evidence.stream().map(DecisionWriter::reading).toList())
        .setTimeline(
            i.story.stream()
                .map(step -> new TimelineEntry(step.at(), step.what(), step.detail()))
                .toList())
        .build();
  }

  private static List<KeyRef> keys(List<StoreKey> keys) {
    return keys.stream().map(k -> new KeyRef(k.store(), k.key().toBuffer())).toList();
  }

  private static dev.restitch.avro.Reading reading(Reading r) {
    KeyState state =
        r.state() == Reading.State.UNKNOWN
            ? KeyState.UNREADABLE
            : KeyState.valueOf(r.state().name());
    return dev.restitch.avro.Reading.newBuilder()
        .setStore(r.key().store())
        .setKey(r.key().key().toBuffer())
        .setState(state)
        .setVersion(r.stamp() == null ? null : r.stamp().version())
        .setToken(
            r.stamp() == null || r.stamp().token().isEmpty() ? null : r.stamp().token().toBuffer())
        .setTokens(r.tokens() == null ? null : r.tokens().stream().map(Bytes::toBuffer).toList())
        .setExpiresAtMillis(r.expiresAtMillis())
        .setPrimary(r.primary())
        .setLength(r.length())
        .setDigest(r.digest() == null ? null : digest(r.digest()))
        .build();
  }

  private static ByteBuffer digest(Bytes hex) {
    return ByteBuffer.wrap(HexFormat.of().parseHex(hex.toString()));
  }
}
