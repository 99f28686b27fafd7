/** The repair policies: what is to be written, and when it must not be. */
package dev.restitch.worker.policy;
