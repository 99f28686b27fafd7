/** The repair worker: carries out the judge's repair commands, by compare-and-set only. */
package dev.restitch.worker;
