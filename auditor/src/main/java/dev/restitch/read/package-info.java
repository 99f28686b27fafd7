/**
 * Reads what stands at a key now, without its payload. Shared by watcher and prober; nothing here
 * blocks.
 */
package dev.restitch.read;
