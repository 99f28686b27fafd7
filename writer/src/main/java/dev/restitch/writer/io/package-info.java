/**
 * What the writer and the repair worker share to reach Kafka and the stores. Not for applications.
 */
package dev.restitch.writer.io;
