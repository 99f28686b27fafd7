package dev.restitch.doctor;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What one node knows of its cluster.
 *
 * @param info the fields of {@code CLUSTER INFO}
 */
record ClusterFacts(Map<String, String> info, List<Node> nodes) {

  private static final int FIRST_SLOT = 8;

  /**
   * One line of {@code CLUSTER NODES}.
   *
   * @param primaryId of a replica: its primary's id; {@code -} for primaries
   */
  record Node(
      String id, String host, int port, Set<String> flags, String primaryId, boolean slots) {

    boolean primary() {
      return flags.contains("master");
    }

    boolean failed() {
      return flags.contains("fail") || flags.contains("fail?") || flags.contains("noaddr");
    }

    String address() {
      return host + ":" + port;
    }
  }

  /**
   * Reads what a server answers.
   *
   * @param asked the host that was asked, for a node that does not know its own
   * @throws IllegalArgumentException if a line cannot be read
   */
  static ClusterFacts parse(String info, String nodes, String asked) {
    List<Node> parsed = new ArrayList<>();
    nodes.lines().filter(line -> !line.isBlank()).forEach(line -> parsed.add(node(line, asked)));
    return new ClusterFacts(InfoText.parse(info), parsed);
  }

  private static Node node(String line, String asked) {
    String[] fields = line.trim().split(" ");
    if (fields.length < FIRST_SLOT) {
      throw new IllegalArgumentException(
          "a line of CLUSTER NODES has " + fields.length + " fields");
    }
    String address = fields[1].replaceFirst("[@,].*$", "");
    int colon = address.lastIndexOf(':');
    String host = address.substring(0, Math.max(colon, 0));
    return new Node(
        fields[0],
        host.isEmpty() ? asked : host,
        Integer.parseInt(address.substring(colon + 1)),
        Set.copyOf(Arrays.asList(fields[2].split(","))),
        fields[3],
        Arrays.stream(fields).skip(FIRST_SLOT).anyMatch(slot -> !slot.startsWith("[")));
  }
}
