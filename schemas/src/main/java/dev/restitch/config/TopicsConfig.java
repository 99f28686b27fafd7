package dev.restitch.config;

/**
 * How topics are named and made.
 *
 * @param prefix stands before the names; default {@code restitch}
 * @param partitions of every topic that the judge reads
 * @param replication replication factor
 */
public record TopicsConfig(String prefix, int partitions, int replication) {}
