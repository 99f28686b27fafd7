package dev.restitch.registry;

import org.apache.avro.Schema;

/**
 * Where schemas are kept under subjects and numbered. Thread-safe. Answers are cached, so that only
 * the first use of a schema waits for the network.
 */
public interface SchemaRegistry extends AutoCloseable {

  /**
   * Registers a schema under a subject; idempotent.
   *
   * @return the schema's id; the same schema has the same id everywhere in a registry
   * @throws RegistryRefusedException if the registry does not take it, for example because it is
   *     not compatible with the subject's earlier versions
   * @throws RegistryUnavailableException if the registry does not answer now
   */
  int register(String subject, Schema schema);

  /**
   * The schema with this id.
   *
   * @throws SchemaNotFoundException if the registry has no such schema
   * @throws RegistryRefusedException if the registry refuses to tell
   * @throws RegistryUnavailableException if the registry does not answer now
   */
  Schema byId(int id);

  /**
   * True if a schema could be registered under a subject now; true for a subject that has no
   * version yet. Never cached.
   *
   * @throws RegistryException as for {@link #register}
   */
  boolean compatible(String subject, Schema schema);

  /**
   * True if this very schema is registered under a subject. Registers nothing; never cached.
   *
   * @throws RegistryException as for {@link #register}
   */
  boolean registered(String subject, Schema schema);

  /**
   * Asks the registry for its subjects and forgets the answer: proof that it is there and lets us
   * in. Never cached.
   *
   * @throws RegistryException if it does not answer, or refuses
   */
  void ping();

  /** The registry's address without credentials, for messages. */
  String address();

  @Override
  default void close() {}
}
