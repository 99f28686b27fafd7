/**
 * The only code of the services that writes to a store. Every write is a compare-and-set or a
 * compare-and-delete on one key, on the server.
 */
package dev.restitch.worker.apply;
