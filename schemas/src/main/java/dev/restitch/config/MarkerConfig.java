package dev.restitch.config;

import dev.restitch.key.KeyPattern;
import java.time.Duration;

/**
 * The commit marker of a relation.
 *
 * @param key pattern with <code>{token}</code>, and perhaps captures of the sides
 * @param ttl the marker's time to live; null: none
 * @param fenced writer and worker both decide by {@code SET NX}
 */
public record MarkerConfig(String store, KeyPattern key, Duration ttl, boolean fenced) {}
