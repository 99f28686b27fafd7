package dev.restitch.startup;

/**
 * Marks an exception that waiting does not mend: someone has to change something first. {@link
 * Patience} throws it on at once.
 */
public interface Permanent {}
