/** Answers the judge's questions by double collects on primaries. */
package dev.restitch.probe;
