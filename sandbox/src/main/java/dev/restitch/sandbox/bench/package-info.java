/**
 * {@code restitch bench}: product and peers measured in turn in one run on one machine, as ratios,
 * on data with known answers.
 */
package dev.restitch.sandbox.bench;
