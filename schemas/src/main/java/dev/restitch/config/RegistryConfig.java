package dev.restitch.config;

/**
 * The schema registry (Confluent's API).
 *
 * @param url base address
 * @param serde {@code restitch}, or {@code confluent} for Confluent's own classes
 * @param username basic authentication; null: none
 * @param password null: none
 */
public record RegistryConfig(String url, String serde, String username, Secret password) {}
