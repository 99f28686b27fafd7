/**
 * Generates long histories with known answers, in the form that {@code restitch replay --history}
 * reads.
 */
package dev.restitch.sandbox.history;
