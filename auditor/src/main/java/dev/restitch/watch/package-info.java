/**
 * Watches the keyspace notifications of every primary and publishes what the keys look like after
 * each change. What may have been missed becomes a gap; nothing is dropped silently.
 */
package dev.restitch.watch;
