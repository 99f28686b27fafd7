/**
 * {@code restitch chaos}: everything that can blind an auditor, done to real servers under load,
 * and what was found all the same.
 */
package dev.restitch.sandbox.eyes;
