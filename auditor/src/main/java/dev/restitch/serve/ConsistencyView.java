package dev.restitch.serve;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.restitch.judge.Consistency;
import java.util.SortedMap;

/** The consistency measure as the API shows it. Stateless. */
public final class ConsistencyView {

  private ConsistencyView() {}

  /** All relations; shares are from 0 to 1, null where nothing was counted yet. */
  public static ArrayNode of(SortedMap<String, Consistency> measures) {
    ArrayNode relations = JsonNodeFactory.instance.arrayNode();
    measures.forEach((relation, measure) -> relations.add(one(relation, measure)));
    return relations;
  }

  private static ObjectNode one(String relation, Consistency measure) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("relation", relation).put("sample", measure.sample());
    ArrayNode within = node.putArray("whole");
    for (int i = 0; i < Consistency.LIMITS.size(); i++) {
      ObjectNode limit = within.addObject();
      limit.put("within", Consistency.LIMIT_NAMES.get(i)).put("count", measure.wholeWithin(i));
      if (measure.sample() == 0) {
        limit.putNull("share").putNull("nines");
      } else {
        limit.put("share", measure.share(i)).put("nines", rounded(measure.nines(i)));
        limit.put("boundedBySample", measure.boundedBySample(i));
      }
    }
    return node;
  }

  private static double rounded(double nines) {
    return Math.round(nines * 100) / 100.0;
  }
}
