package dev.restitch.watch;

import dev.restitch.avro.Coverage;

/**
 * How the watch of one primary stands.
 *
 * @param node {@code host:port}
 * @param subscribed the server acknowledged the subscription, is a primary, and tells the events
 *     that are needed
 * @param gapOpen something may have been missed that is not yet told
 * @param coveredThroughMillis up to when everything was seen and published, epoch milliseconds; 0:
 *     nothing yet
 * @param state the same and more, as it is told to others
 */
public record WatchedNode(
    String store,
    String node,
    boolean subscribed,
    boolean gapOpen,
    long coveredThroughMillis,
    WatcherCounters counters,
    Coverage state) {

  /** What a coverage mark says. */
  static WatchedNode of(Coverage mark) {
    return new WatchedNode(
        mark.getStore(),
        mark.getNode(),
        mark.getSubscribed(),
        mark.getGapOpenSinceMillis() != null,
        mark.getCoveredThroughMillis(),
        new WatcherCounters(
            mark.getReceived(),
            mark.getPublished(),
            mark.getCoalesced(),
            mark.getFiltered(),
            mark.getDeadLettered(),
            mark.getPending(),
            mark.getGapsOpened(),
            mark.getGapsPublished()),
        mark);
  }

  /** A primary that no auditor watches. */
  static WatchedNode unwatched(String store, String node) {
    return of(
        Coverage.newBuilder()
            .setStore(store)
            .setNode(node)
            .setSubscribed(false)
            .setCoveredThroughMillis(0)
            .setOwner("")
            .setTrouble("unwatched")
            .build());
  }
}
