package dev.restitch.config;

import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * A configuration that cannot be used. Carries every problem that was found, not only the first; no
 * message shows a secret.
 */
public final class ConfigException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient List<Problem> problems;

  /**
   * One problem.
   *
   * @param path the key, such as {@code relations.user.sides.profile.key}; an environment variable
   *     where only that is wrong; empty where the whole file is
   * @param message what is wrong, and what would be right
   */
  public record Problem(String path, String message) {

    public Problem {
      Objects.requireNonNull(path, "path");
      Objects.requireNonNull(message, "message");
    }

    @Override
    public String toString() {
      return path.isEmpty() ? message : path + ": " + message;
    }
  }

  /**
   * @param problems at least one
   */
  public ConfigException(List<Problem> problems) {
    super(describe(problems));
    this.problems = List.copyOf(problems);
  }

  /** A single problem. */
  public ConfigException(String path, String message) {
    this(List.of(new Problem(path, message)));
  }

  /** All problems, in the order of the file where it has one. */
  public List<Problem> problems() {
    return problems;
  }

  private static String describe(List<Problem> problems) {
    return problems.stream()
        .map(Problem::toString)
        .collect(Collectors.joining("\n  ", heading(problems.size()) + "\n  ", ""));
  }

  private static String heading(int count) {
    return "the configuration has " + count + (count == 1 ? " problem:" : " problems:");
  }
}
