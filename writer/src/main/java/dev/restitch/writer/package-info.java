/**
 * The library that applications embed to write several keys as one logical write: mints token and
 * version, records the intent, writes the sides, and says what became of them. Asynchronous; its
 * stages complete on threads that must not be blocked.
 */
package dev.restitch.writer;
