package dev.restitch.key;

import dev.restitch.model.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A key pattern such as <code>user:{id}:profile</code>. A capture takes one or more bytes without
 * {@code ':'}; literal braces are doubled. Immutable.
 */
public final class KeyPattern {

  private final String text;

  /** Literal, capture, literal, ..., literal: always one literal more than captures. */
  private final List<Bytes> literals;

  private final List<String> names;

  KeyPattern(String text, List<Bytes> literals, List<String> names) {
    this.text = text;
    this.literals = List.copyOf(literals);
    this.names = List.copyOf(names);
  }

  /**
   * Parses a pattern.
   *
   * @throws IllegalArgumentException with a sentence that says what is wrong
   */
  public static KeyPattern parse(String text) {
    return new PatternParser(Objects.requireNonNull(text, "text")).parse();
  }

  /** The names captured, in order. */
  public List<String> names() {
    return names;
  }

  /** The literals around the captures, in order; always one more than {@link #names}. */
  List<Bytes> literals() {
    return literals;
  }

  /**
   * Matches a key.
   *
   * @return what {@link #names} captured, in their order; empty if the key does not match
   */
  public Optional<List<Bytes>> match(Bytes key) {
    if (!key.startsWith(literals.get(0)) || !key.endsWith(literals.get(names.size()))) {
      return Optional.empty();
    }
    List<Bytes> captured = new ArrayList<>(names.size());
    int at = literals.get(0).length();
    for (int i = 0; i < names.size(); i++) {
      Bytes next = literals.get(i + 1);
      boolean last = i == names.size() - 1;
      // The earliest end is enough: captures hold no ':', so a later end never helps what follows.
      int end = last ? key.length() - next.length() : key.indexOf(next, at + 1);
      if (end <= at || hasColon(key, at, end)) {
        return Optional.empty();
      }
      captured.add(key.slice(at, end));
      at = end + next.length();
    }
    return at == key.length() ? Optional.of(captured) : Optional.empty();
  }

  /**
   * The key for these captures, given in the order of {@link #names}.
   *
   * @throws IllegalArgumentException if their number is not that of the names
   */
  public Bytes format(List<Bytes> captures) {
    if (captures.size() != names.size()) {
      throw new IllegalArgumentException(
          text + " takes " + names.size() + " captures, not " + captures.size());
    }
    List<Bytes> parts = new ArrayList<>(2 * names.size() + 1);
    parts.add(literals.get(0));
    for (int i = 0; i < names.size(); i++) {
      parts.add(captures.get(i));
      parts.add(literals.get(i + 1));
    }
    return Bytes.concat(parts);
  }

  /** True if, and only if, some key matches both patterns. */
  public boolean overlaps(KeyPattern other) {
    return new PatternOverlap(this, other).exists();
  }

  private static boolean hasColon(Bytes key, int from, int to) {
    for (int i = from; i < to; i++) {
      if (key.at(i) == ':') {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof KeyPattern that && text.equals(that.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }
}
