package dev.restitch.config;

/**
 * Where the HTTP API listens.
 *
 * @param port of the auditor
 * @param workerPort of the repair worker; 0: any that is free
 * @param token bearer token; required where host is not loopback; null: none
 */
public record ManagementConfig(String host, int port, int workerPort, Secret token) {}
