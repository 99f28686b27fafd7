package dev.restitch.check;

import dev.restitch.avro.Reading;
import dev.restitch.judge.Incident;
import java.util.List;
import java.util.Optional;

/**
 * What was found of an instance.
 *
 * @param why one sentence, for people
 * @param incident what the judge would declare; empty: nothing
 * @param unknown what such a look cannot know of this instance, in sentences
 * @param readings of all sides, then of the markers, as they were at the last look
 * @param looks how often all was read twice
 */
public record Checked(
    String instance,
    Result result,
    String why,
    Optional<Incident> incident,
    List<String> unknown,
    List<Reading> readings,
    int looks) {

  /** What can be said. */
  public enum Result {
    WHOLE,
    TORN,
    UNDECIDED
  }

  public Checked {
    unknown = List.copyOf(unknown);
    readings = List.copyOf(readings);
  }
}
