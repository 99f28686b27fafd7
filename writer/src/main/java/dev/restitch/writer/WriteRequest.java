package dev.restitch.writer;

import dev.restitch.model.Bytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * One logical write: what it does to which sides of which instances. Immutable.
 *
 * <pre>{@code
 * WriteRequest.to("user", "123").put("profile", profile).put("settings", settings).build();
 * WriteRequest.to("acct", "1").put("balance", less).to("acct", "2").put("balance", more).build();
 * }</pre>
 *
 * @param targets the sides, in order
 * @param traceparent W3C trace context of the caller; null: none
 */
public record WriteRequest(List<Target> targets, String traceparent) {

  /**
   * One side.
   *
   * @param ids the instance's ids, in the order of the first side's key pattern
   * @param side the side's name in the relation
   */
  public record Target(String relation, List<Bytes> ids, String side, SideOp op) {

    public Target {
      Objects.requireNonNull(relation, "relation");
      Objects.requireNonNull(side, "side");
      Objects.requireNonNull(op, "op");
      ids = List.copyOf(ids);
    }
  }

  public WriteRequest {
    targets = List.copyOf(targets);
    if (targets.isEmpty()) {
      throw new IllegalArgumentException("a write has at least one side");
    }
  }

  /** Begins with an instance. */
  public static Builder to(String relation, String... ids) {
    return new Builder().to(relation, ids);
  }

  /** Begins with an instance whose ids need not be text. */
  public static Builder to(String relation, List<Bytes> ids) {
    return new Builder().to(relation, ids);
  }

  /** Collects the sides. Not thread-safe. */
  public static final class Builder {

    private final List<Target> targets = new ArrayList<>();
    private String relation;
    private List<Bytes> ids;
    private String traceparent;

    private Builder() {}

    /** The sides that follow are this instance's. */
    public Builder to(String relation, String... ids) {
      return to(relation, Arrays.stream(ids).map(Bytes::utf8).toList());
    }

    /** The sides that follow are this instance's; its ids need not be text. */
    public Builder to(String relation, List<Bytes> ids) {
      this.relation = relation;
      this.ids = ids;
      return this;
    }

    /** Writes a side; it lives for ever. */
    public Builder put(String side, byte[] payload) {
      return put(side, payload, Expiry.NONE);
    }

    /** Writes a side. The payload is copied. */
    public Builder put(String side, byte[] payload, Expiry expiry) {
      targets.add(new Target(relation, ids, side, new SideOp.Put(Bytes.copyOf(payload), expiry)));
      return this;
    }

    /** Removes a side. */
    public Builder delete(String side) {
      targets.add(new Target(relation, ids, side, new SideOp.Delete()));
      return this;
    }

    /** Passes the caller's W3C trace context on into the intent. */
    public Builder traceparent(String traceparent) {
      this.traceparent = traceparent;
      return this;
    }

    public WriteRequest build() {
      return new WriteRequest(targets, traceparent);
    }
  }
}
