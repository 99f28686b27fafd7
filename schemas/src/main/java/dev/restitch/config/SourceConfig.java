package dev.restitch.config;

import java.util.Map;

/**
 * An authoritative database.
 *
 * @param jdbc JDBC URL
 * @param username null: none, or in the URL
 * @param password null: none
 * @param query one SQL statement a side, by the side's name. Parameters are the instance's ids in
 *     order, for logs followed by the transaction's token. The first column of the first row is the
 *     payload; of a log's second column, the score; the columns of a hash's row may be its fields
 * @param maximumPoolSize connections at most
 */
public record SourceConfig(
    String name,
    String jdbc,
    String username,
    Secret password,
    Map<String, String> query,
    int maximumPoolSize) {}
