package dev.restitch.watch;

/**
 * What became of every notification received, at one moment.
 *
 * <p>{@code received = published + coalesced + filtered + failed + pending}. A gap belongs to every
 * run of failed ones, so that no loss is silent.
 *
 * @param received notifications that the subscriptions delivered
 * @param published ended in an observation that the brokers have
 * @param coalesced followed by another of the same key before the key was read; that reading speaks
 *     for both
 * @param filtered of no side of a relation
 * @param failed dropped since too many were pending, or since the key could not be read or the
 *     observation not be published
 * @param pending not yet settled
 * @param gapsOpened intervals in which notifications may have been lost
 * @param gapsPublished of these, told to every partition
 */
public record WatcherCounters(
    long received,
    long published,
    long coalesced,
    long filtered,
    long failed,
    long pending,
    long gapsOpened,
    long gapsPublished) {

  static final WatcherCounters ZERO = new WatcherCounters(0, 0, 0, 0, 0, 0, 0, 0);

  WatcherCounters plus(WatcherCounters other) {
    return new WatcherCounters(
        received + other.received,
        published + other.published,
        coalesced + other.coalesced,
        filtered + other.filtered,
        failed + other.failed,
        pending + other.pending,
        gapsOpened + other.gapsOpened,
        gapsPublished + other.gapsPublished);
  }

  /** True if the equation holds; it does at every moment. */
  public boolean balanced() {
    return received == published + coalesced + filtered + failed + pending;
  }
}
