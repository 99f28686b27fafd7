package dev.restitch.sandbox.history;

import dev.restitch.model.Verdict;

/**
 * A tear that was put into a history.
 *
 * @param instance the instance that must be declared
 * @param verdict what it must be declared to be
 * @param token the torn transaction
 */
public record KnownTear(String instance, Verdict verdict, String token) {}
