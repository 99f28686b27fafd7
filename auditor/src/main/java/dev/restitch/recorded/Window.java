package dev.restitch.recorded;

import java.util.function.Predicate;

/**
 * What is read of the topics.
 *
 * @param fromMillis append time of the first record that counts, epoch milliseconds
 * @param toMillis append time of the last one
 * @param wanted of which instances; gaps are always read
 * @param recordsPerSecond at most
 */
public record Window(
    long fromMillis, long toMillis, Predicate<String> wanted, int recordsPerSecond) {}
