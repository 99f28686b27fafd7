package dev.restitch.config;

/**
 * Where the HTTP API listens.
 *
 * @param token bearer token; required where host is not loopback; null: none
 */
public record ManagementConfig(String host, int port, Secret token) {}
