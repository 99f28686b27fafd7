/**
 * Where payloads come from when no side can be trusted: databases, and the writers' own intents.
 */
package dev.restitch.worker.truth;
