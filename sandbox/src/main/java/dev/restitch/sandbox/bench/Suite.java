package dev.restitch.sandbox.bench;

import java.io.IOException;
import java.util.List;

/** One thing that the bench measures. */
public interface Suite {

  /** The name that {@code --suite} takes. */
  String name();

  /** What it measures, for people, in one line. */
  String title();

  /**
   * Runs product and peers in turn, as often as the run says.
   *
   * @throws WrongAnswerException if the product's answers are not the known ones
   * @throws IOException with what was wrong and what to do
   */
  List<Figure> run(BenchRun run) throws IOException, InterruptedException;
}
