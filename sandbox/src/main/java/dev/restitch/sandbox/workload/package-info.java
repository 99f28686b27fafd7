/**
 * A workload with known answers: logical writes over many instances, some of them torn on purpose,
 * some only suspicious; the truth that they leave; who found what; and the comparison of every
 * store with the truth.
 */
package dev.restitch.sandbox.workload;
