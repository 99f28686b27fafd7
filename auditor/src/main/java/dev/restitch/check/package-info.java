/** Looks at instances now, and judges them from what stands there alone. */
package dev.restitch.check;
