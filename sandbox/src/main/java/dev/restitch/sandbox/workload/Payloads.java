package dev.restitch.sandbox.workload;

import dev.restitch.config.RelationConfig;
import java.nio.charset.StandardCharsets;
import java.util.Random;

/**
 * What one logical write carries. Sides that declare the same payload name carry the same.
 *
 * @param body text that no other write has; it contains separators on purpose
 */
record Payloads(String body) {

  private static final int MOST_WORDS = 12;
  private static final String[] WORDS = {
    "alder", "birch", "cedar", "elm", "fir:", "hazel", "larch", "maple", "oak:7:", "pine", "rowan"
  };

  static Payloads draw(Random random) {
    StringBuilder body = new StringBuilder(Long.toHexString(random.nextLong()));
    for (int words = random.nextInt(MOST_WORDS); words >= 0; words--) {
      body.append(' ').append(WORDS[random.nextInt(WORDS.length)]);
    }
    return new Payloads(body.toString());
  }

  byte[] of(RelationConfig relation, int side) {
    return text(relation, side).getBytes(StandardCharsets.UTF_8);
  }

  String text(RelationConfig relation, int side) {
    String payload = relation.sides().get(side).payload();
    return (payload == null ? relation.sides().get(side).name() : payload) + '=' + body;
  }
}
