package dev.restitch.writer;

import dev.restitch.config.RelationConfig;
import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import dev.restitch.stamp.Stamp;

/**
 * One key of a transaction's write set.
 *
 * @param side index of the side in its relation
 */
public record KeyWrite(
    RelationConfig relation, int side, String instance, StoreKey key, SideOp op) {

  /** The transaction's stamp as this relation's template carries it. */
  Stamp stamp(Long version, Bytes token) {
    return stamp(relation, version, token);
  }

  static Stamp stamp(RelationConfig relation, Long version, Bytes token) {
    return new Stamp(
        relation.stamp().hasVersion() ? version : null,
        relation.stamp().hasToken() ? token : Bytes.EMPTY);
  }
}
