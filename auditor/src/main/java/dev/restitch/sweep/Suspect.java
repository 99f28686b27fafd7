package dev.restitch.sweep;

import dev.restitch.avro.Reading;
import dev.restitch.config.RelationConfig;
import java.util.List;

/**
 * An instance that the judge should look at.
 *
 * @param comparison why
 * @param readings of all its sides, in side order, as they were at the last look
 */
public record Suspect(
    RelationConfig relation, String instance, Comparison comparison, List<Reading> readings) {}
