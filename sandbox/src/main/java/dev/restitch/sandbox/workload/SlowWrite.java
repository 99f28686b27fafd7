package dev.restitch.sandbox.workload;

import dev.restitch.avro.Incident;

/**
 * A write that was meant to be whole and took longer than the settle time, because this machine was
 * too slow for it. For that while it was torn, and an incident about it is right.
 */
record SlowWrite(String instance, long fromMillis, long toMillis) {

  private static final long CLOCKS_DIFFER_MILLIS = 500;

  /** True if the incident is about what stood while this write was under way. */
  boolean explains(Incident incident) {
    long at = incident.getSuspectedAtMillis();
    return instance.equals(incident.getInstance())
        && at >= fromMillis - CLOCKS_DIFFER_MILLIS
        && at <= toMillis + CLOCKS_DIFFER_MILLIS;
  }
}
