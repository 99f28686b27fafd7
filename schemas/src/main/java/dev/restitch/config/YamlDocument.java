package dev.restitch.config;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * Turns YAML text into a {@link Tree}. Nothing is constructed from tags; size, depth and aliases
 * are bounded; a key that stands twice is a problem. Scalars keep the text that was written, so
 * that {@code on} is a word and {@code 007} keeps its zeros.
 */
final class YamlDocument {

  private static final int MAX_CHARACTERS = 4 << 20;
  private static final int MAX_DEPTH = 32;
  private static final int MAX_ALIASES = 100;
  private static final String TAGGED =
      "tags (!name) are not used; quote a value that begins with '!'";

  private final Problems problems;

  /** Null: the line in the file. */
  private final String origin;

  private final IdentityHashMap<Node, Tree> done = new IdentityHashMap<>();
  private final IdentityHashMap<Node, Boolean> open = new IdentityHashMap<>();

  private YamlDocument(Problems problems, String origin) {
    this.problems = problems;
    this.origin = origin;
  }

  /**
   * Reads one document; an empty one is an empty scalar.
   *
   * @param path path of the document's root in the configuration
   * @param origin what messages name instead of a line; null: the line
   * @throws IllegalArgumentException if the text is not YAML, with a sentence that shows none of it
   */
  static Tree read(String yaml, String path, String origin, Problems problems) {
    LoaderOptions limits = new LoaderOptions();
    limits.setCodePointLimit(MAX_CHARACTERS);
    limits.setNestingDepthLimit(MAX_DEPTH);
    limits.setMaxAliasesForCollections(MAX_ALIASES);
    try {
      Node root = new Yaml(new SafeConstructor(limits)).compose(new StringReader(yaml));
      YamlDocument document = new YamlDocument(problems, origin);
      return root == null
          ? new Tree.Scalar("", true, origin == null ? "line 1" : origin)
          : document.convert(root, path);
    } catch (MarkedYAMLException e) {
      throw new IllegalArgumentException("is not valid YAML" + place(e) + ": " + reason(e), e);
    } catch (YAMLException e) {
      throw new IllegalArgumentException("is not valid YAML: " + e.getMessage(), e);
    }
  }

  private Tree convert(Node node, String path) {
    Tree known = done.get(node);
    if (known != null) {
      return known;
    }
    if (open.put(node, true) != null) {
      Tree nothing = new Tree.Scalar("", true, origin(node));
      problems.add(path, nothing, "an alias stands inside the anchor that it names");
      return nothing;
    }
    if (node.getTag().startsWith("!")) {
      problems.add(path, TAGGED + " (" + origin(node) + ")");
    }
    Tree tree;
    if (node instanceof MappingNode mapping) {
      tree = mapping(mapping, path);
    } else if (node instanceof SequenceNode sequence) {
      List<Tree> items = new ArrayList<>();
      for (Node item : sequence.getValue()) {
        items.add(convert(item, Section.join(path, Integer.toString(items.size()))));
      }
      tree = new Tree.Sequence(items, origin(node));
    } else {
      ScalarNode scalar = (ScalarNode) node;
      tree = new Tree.Scalar(scalar.getValue(), Tag.NULL.equals(node.getTag()), origin(node));
    }
    open.remove(node);
    done.put(node, tree);
    return tree;
  }

  private Tree mapping(MappingNode mapping, String path) {
    Map<String, Tree> entries = new LinkedHashMap<>();
    for (NodeTuple tuple : mapping.getValue()) {
      if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
        problems.add(path, "a key is text (" + origin(tuple.getKeyNode()) + ")");
        continue;
      }
      String keyPath = Section.join(path, key.getValue());
      Tree value = convert(tuple.getValueNode(), keyPath);
      Tree first = entries.putIfAbsent(key.getValue(), value);
      if (first != null) {
        problems.add(
            keyPath, "stands twice; keep one (" + first.origin() + " and " + origin(key) + ")");
      }
    }
    return new Tree.Mapping(entries, origin(mapping));
  }

  private String origin(Node node) {
    return origin != null ? origin : "line " + (node.getStartMark().getLine() + 1);
  }

  private static String place(MarkedYAMLException e) {
    Mark mark = e.getProblemMark();
    return mark == null
        ? ""
        : ", line " + (mark.getLine() + 1) + ", column " + (mark.getColumn() + 1);
  }

  /** The parser's own words, except where they would repeat a value. */
  private static String reason(MarkedYAMLException e) {
    String problem = String.valueOf(e.getProblem());
    if (problem.contains("undefined alias")) {
      return "an alias (*name) has no anchor (&name); quote a value that begins with '*'";
    }
    return problem.contains("tag") ? TAGGED : problem;
  }
}
