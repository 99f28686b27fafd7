/** Tells opened and closed incidents to somebody else's HTTP endpoint, in batches. */
package dev.restitch.webhook;
