/**
 * The judge beside its peers: all drain the same topics of generated data with known answers, each
 * in a JVM of its own that stays warm from round to round.
 */
package dev.restitch.sandbox.bench.drain;
