/** Takes commands from Kafka, has them carried out, and says what became of each. */
package dev.restitch.worker.command;
