/** The worker's management port. */
package dev.restitch.worker.serve;
