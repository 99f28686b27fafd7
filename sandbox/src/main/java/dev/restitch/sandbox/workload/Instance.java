package dev.restitch.sandbox.workload;

import dev.restitch.config.RelationConfig;
import dev.restitch.key.InstanceName;
import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import dev.restitch.writer.WriteRequest;
import java.util.List;

/** One instance of the workload's pool. */
record Instance(RelationConfig relation, String id) {

  /** {@code user/123}. */
  String name() {
    return InstanceName.of(relation.name(), List.of(Bytes.utf8(id)));
  }

  StoreKey key(int side) {
    return relation.keyOf(name(), side);
  }

  /** A write of all sides. */
  WriteRequest request(Payloads payloads) {
    WriteRequest.Builder request = WriteRequest.to(relation.name(), id);
    for (int side = 0; side < relation.sides().size(); side++) {
      request.put(relation.sides().get(side).name(), payloads.of(relation, side));
    }
    return request.build();
  }
}
