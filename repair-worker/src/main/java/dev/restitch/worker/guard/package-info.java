/** What holds repairs back: attempts that are past, rates, and the cap on generations. */
package dev.restitch.worker.guard;
