package dev.restitch.config;

import java.util.Map;

/**
 * An authoritative database.
 *
 * @param jdbc JDBC URL
 * @param username null: none, or in the URL
 * @param password null: none
 * @param query one SQL statement a side, by the side's name: parameters are the instance's ids in
 *     order, the first column of the first row is the payload
 * @param maximumPoolSize connections at most
 */
public record SourceConfig(
    String name,
    String jdbc,
    String username,
    Secret password,
    Map<String, String> query,
    int maximumPoolSize) {}
