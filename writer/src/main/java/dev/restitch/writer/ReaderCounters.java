package dev.restitch.writer;

/**
 * What a reader has done so far. {@code reads = whole + mismatches + unknown} and {@code mismatches
 * = reported + heldBack}; every reported mismatch becomes an observation for each side that could
 * be read, and {@code failed} counts those that Kafka did not acknowledge.
 *
 * @param reads reads of instances that have ended
 * @param heldBack mismatches not reported, since the instance was reported less than its relation's
 *     {@code settle} before, or since the reader has no producer
 * @param failed observations
 */
public record ReaderCounters(
    long reads,
    long whole,
    long mismatches,
    long unknown,
    long reported,
    long heldBack,
    long failed) {}
