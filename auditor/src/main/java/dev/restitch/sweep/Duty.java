package dev.restitch.sweep;

/**
 * What a sweeper should do next.
 *
 * @param name of the node to sweep, {@code store/host:port}
 * @param forGap to look for what a gap may have hidden
 * @param through offset of the gaps that a complete sweep closes
 */
record Duty(String name, boolean forGap, long through) {}
