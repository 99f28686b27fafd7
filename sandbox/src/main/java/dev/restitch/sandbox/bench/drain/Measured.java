package dev.restitch.sandbox.bench.drain;

/**
 * What a contender says of a drain, as JSON between its process and the bench's.
 *
 * @param records that it has seen
 * @param seconds from the first record to the last
 * @param cpuSeconds of its process, until what the last record changed is committed
 * @param allocatedBytes in the same time
 * @param gcSeconds that its collector took in the same time, as the collector tells
 * @param heapBytes in use after a collection at the end; -1: not asked for
 * @param peakBytes greatest resident size of its process so far
 */
public record Measured(
    long records,
    double seconds,
    double cpuSeconds,
    long allocatedBytes,
    double gcSeconds,
    long heapBytes,
    long peakBytes) {}
