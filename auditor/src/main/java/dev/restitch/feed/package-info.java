/** Reads topics that are kept in memory. */
package dev.restitch.feed;
