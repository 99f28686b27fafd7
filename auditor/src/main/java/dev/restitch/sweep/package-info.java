/**
 * Scans every primary, gathers the keys by instance and compares their stamps: first what a gap may
 * have hidden, then everything, again and again. What it finds only raises suspicion.
 */
package dev.restitch.sweep;
