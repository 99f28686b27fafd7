package dev.restitch.config;

import dev.restitch.key.KeyPattern;

/**
 * One side of a relation.
 *
 * @param name the side's name, unique in its relation
 * @param store name of the store that holds it
 * @param key its key pattern
 * @param payload name of what it carries; sides of one name may be copied to each other; null: not
 *     declared
 * @param type how the stamp is kept
 * @param versionField hash field of the version, for {@link SideType#HASH}; null: none
 * @param tokenField hash field of the token, for {@link SideType#HASH}; null: none
 */
public record SideConfig(
    String name,
    String store,
    KeyPattern key,
    String payload,
    SideType type,
    String versionField,
    String tokenField) {}
