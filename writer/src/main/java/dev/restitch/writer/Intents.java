package dev.restitch.writer;

import dev.restitch.avro.Intent;
import dev.restitch.avro.Marker;
import dev.restitch.avro.Write;
import dev.restitch.avro.WriteOp;
import dev.restitch.avro.WriterRef;
import dev.restitch.config.RelationConfig;
import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import dev.restitch.stamp.Stamp;
import java.time.Duration;
import java.util.List;

/** Puts transactions into intents. */
public final class Intents {

  private Intents() {}

  /** The intent as one instance is told it: its stamp as that instance's relation carries it. */
  static Intent intent(
      Transaction transaction, String instance, RelationConfig relation, WriterOptions options) {
    List<Write> writes =
        transaction.writes().stream().map(w -> write(w, options.inlinePayloads())).toList();
    return intent(
        relation,
        instance,
        KeyWrite.stamp(relation, transaction.version(), transaction.token()),
        transaction.token(),
        writes,
        WriterRef.newBuilder()
            .setApplication(options.application())
            .setHost(options.host())
            .setTraceparent(transaction.traceparent())
            .build(),
        options.clock().millis());
  }

  /**
   * An intent for one instance, with its relation's marker.
   *
   * @param stamp as the relation's sides carry it
   * @param token as the marker's key carries it
   * @param writes the whole write set
   */
  public static Intent intent(
      RelationConfig relation,
      String instance,
      Stamp stamp,
      Bytes token,
      List<Write> writes,
      WriterRef writer,
      long createdAtMillis) {
    return Intent.newBuilder()
        .setToken(stamp.token().toBuffer())
        .setVersion(stamp.version())
        .setWrites(writes)
        .setMarker(
            relation
                .markerOf(instance, token)
                .map(key -> marker(key, relation.marker().ttl()))
                .orElse(null))
        .setWriter(writer)
        .setCreatedAtMillis(createdAtMillis)
        .build();
  }

  private static Marker marker(StoreKey key, Duration ttl) {
    return Marker.newBuilder()
        .setStore(key.store())
        .setKey(key.key().toBuffer())
        .setTtlMillis(ttl == null ? null : (Long) ttl.toMillis())
        .build();
  }

  private static Write write(KeyWrite write, boolean inline) {
    Write.Builder out =
        Write.newBuilder()
            .setStore(write.key().store())
            .setKey(write.key().key().toBuffer())
            .setOp(WriteOp.DELETE);
    if (write.op() instanceof SideOp.Put put) {
      byte[] payload = put.payload().toArray();
      out.setOp(WriteOp.PUT).setDigest(Digests.sha256(payload).toBuffer());
      if (put.expiry().kind() == Expiry.Kind.AFTER) {
        out.setTtlMillis(put.expiry().millis());
      }
      if (inline) {
        out.setPayload(put.payload().toBuffer());
      }
    }
    return out.build();
  }
}
