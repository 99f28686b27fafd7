package dev.restitch.sandbox.workload;

/**
 * Where a store is not as it should be.
 *
 * @param torn true: sides or marker of the instance do not fit together; false: they do, but are
 *     not the truth
 * @param detail in words, without payloads
 */
public record Discrepancy(String instance, boolean torn, String detail) {}
