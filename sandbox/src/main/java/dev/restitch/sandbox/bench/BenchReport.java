package dev.restitch.sandbox.bench;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Prints what was measured, with the machine that it was measured on. Stateless. */
final class BenchReport {

  private BenchReport() {}

  static void print(
      PrintWriter out, Map<Suite, List<Figure>> results, Set<String> versions, boolean json) {
    if (json) {
      out.println(json(results, versions));
    } else {
      table(out, results, versions);
    }
  }

  private static void table(
      PrintWriter out, Map<Suite, List<Figure>> results, Set<String> versions) {
    out.println(machine() + versions.stream().map(v -> ", " + v).collect(joining()));
    out.printf(
        "%-12s %-40s %14s %26s %14s  %s%n", "SUITE", "FIGURE", "MEDIAN", "SPREAD", "ASKED", "UNIT");
    results.forEach(
        (suite, figures) ->
            figures.forEach(
                f ->
                    out.printf(
                        "%-12s %-40s %14s %26s %14s  %s%n",
                        suite.name(),
                        f.name(),
                        Figure.number(f.median()),
                        Figure.number(f.least()) + " .. " + Figure.number(f.most()),
                        f.asked() + (f.reached() ? "" : " NOT"),
                        f.unit())));
  }

  private static ObjectNode json(Map<Suite, List<Figure>> results, Set<String> versions) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("machine", machine());
    ArrayNode beside = root.putArray("versions");
    versions.forEach(beside::add);
    ArrayNode all = root.putArray("figures");
    results.forEach(
        (suite, figures) ->
            figures.forEach(
                f -> {
                  ObjectNode node = all.addObject();
                  node.put("suite", suite.name()).put("figure", f.name()).put("unit", f.unit());
                  node.put("median", f.median()).put("least", f.least()).put("most", f.most());
                  ArrayNode samples = node.putArray("samples");
                  for (double sample : f.samples()) {
                    samples.add(sample);
                  }
                  if (f.must() != null) {
                    node.put("asked", f.asked()).put("reached", f.reached());
                  }
                }));
    return root;
  }

  private static String machine() {
    return "Java %s, %s %s, %d cores"
        .formatted(
            System.getProperty("java.version"),
            System.getProperty("os.name"),
            System.getProperty("os.arch"),
            Runtime.getRuntime().availableProcessors());
  }
}
