package dev.restitch.watch;

/**
 * How the watch of one primary stands.
 *
 * @param node {@code host:port}
 * @param subscribed the server acknowledged the subscription, and tells the events that are needed
 * @param gapOpen something may have been missed that is not yet told
 * @param coveredThroughMillis up to when everything was seen and published, epoch milliseconds; 0:
 *     nothing yet
 */
public record WatchedNode(
    String store,
    String node,
    boolean subscribed,
    boolean gapOpen,
    long coveredThroughMillis,
    WatcherCounters counters) {}
