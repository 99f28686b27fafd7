/** Reads what the topics have recorded, beside the live system and without disturbing it. */
package dev.restitch.recorded;
