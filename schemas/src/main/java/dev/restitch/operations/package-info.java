/** The operations log: who changed what, why, and with what result. */
package dev.restitch.operations;
