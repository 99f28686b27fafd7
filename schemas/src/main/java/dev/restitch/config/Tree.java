package dev.restitch.config;

import java.util.List;
import java.util.Map;

/** A piece of the configuration as written, before it has a type. */
sealed interface Tree {

  /** Where it stands, for messages: {@code line 12}, or the name of an environment variable. */
  String origin();

  /** What it is, for messages. */
  String shape();

  /**
   * Text, number or truth value, as written.
   *
   * @param empty true where a key stands without a value
   */
  record Scalar(String text, boolean empty, String origin) implements Tree {
    @Override
    public String shape() {
      return empty ? "nothing" : "text";
    }
  }

  /** Keys in the order of the file. */
  record Mapping(Map<String, Tree> entries, String origin) implements Tree {
    @Override
    public String shape() {
      return "a mapping";
    }
  }

  /** A list. */
  record Sequence(List<Tree> items, String origin) implements Tree {
    @Override
    public String shape() {
      return "a list";
    }
  }
}
