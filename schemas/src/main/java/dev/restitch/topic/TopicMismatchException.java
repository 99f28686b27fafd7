package dev.restitch.topic;

import dev.restitch.startup.Permanent;
import java.util.List;
import java.util.stream.Collectors;

/** Topics are not as they must be. Names every problem, each with the command that mends it. */
public final class TopicMismatchException extends RuntimeException implements Permanent {

  private static final long serialVersionUID = 1L;

  /**
   * One thing that is wrong.
   *
   * @param topic the topic's full name
   * @param what what is wrong, and what would be right
   * @param mend the command or change that mends it
   */
  public record Problem(String topic, String what, String mend) {}

  private final transient List<Problem> problems;

  public TopicMismatchException(List<Problem> problems) {
    super(
        problems.stream()
            .map(p -> "\n  " + p.topic() + ": " + p.what() + "\n    mend: " + p.mend())
            .collect(Collectors.joining("", "topics are not as they must be:", "")));
    this.problems = List.copyOf(problems);
  }

  /** All problems, in the topics' order. */
  public List<Problem> problems() {
    return problems;
  }
}
