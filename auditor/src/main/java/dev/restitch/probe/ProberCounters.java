package dev.restitch.probe;

/**
 * What became of every question, at one moment: {@code received = answered + deadLettered +
 * inFlight}.
 *
 * @param received questions read from the topic
 * @param answered the brokers have the snapshot
 * @param deadLettered put aside, since they cannot be read or never be answered
 * @param inFlight being answered, or to be tried again
 * @param unstable of the answered: the passes differ, or a side could not be read
 * @param undeclared keys asked for that no relation declares
 */
public record ProberCounters(
    long received,
    long answered,
    long deadLettered,
    long inFlight,
    long unstable,
    long undeclared) {}
