package dev.restitch.doctor;

import dev.restitch.config.RestitchConfig;
import dev.restitch.doctor.RegistryRules.Standing;
import dev.restitch.registry.RegistryRefusedException;
import dev.restitch.registry.SchemaRegistries;
import dev.restitch.registry.SchemaRegistry;
import dev.restitch.serde.ContractSchemas;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;

/** Examines the schema registry; registers nothing. Blocks. */
final class RegistryExam {

  private static final Duration LIMIT = Duration.ofSeconds(45);

  private final RestitchConfig config;

  RegistryExam(RestitchConfig config) {
    this.config = config;
  }

  List<Finding> examine() throws InterruptedException {
    SchemaRegistry registry = SchemaRegistries.open(config.registry());
    try (registry) {
      return Timed.call(LIMIT, () -> RegistryRules.judge(registry.address(), standings(registry)));
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      return List.of(
          Finding.error(
              "registry",
              registry.address(),
              "does not serve us, so that no record can be written or read: " + Timed.words(e),
              "curl -s " + registry.address() + "/subjects   # and check the section registry"));
    }
  }

  private Map<String, Standing> standings(SchemaRegistry registry) {
    registry.ping();
    Map<String, Standing> standings = new LinkedHashMap<>();
    for (Map.Entry<String, Schema> entry : ContractSchemas.bySubject(config.topics()).entrySet()) {
      standings.put(entry.getKey(), standing(registry, entry.getKey(), entry.getValue()));
    }
    return standings;
  }

  private static Standing standing(SchemaRegistry registry, String subject, Schema schema) {
    if (registry.registered(subject, schema)) {
      return Standing.REGISTERED;
    }
    try {
      return registry.compatible(subject, schema) ? Standing.TAKEN : Standing.REFUSED;
    } catch (RegistryRefusedException unreadable) {
      return Standing.REFUSED;
    }
  }
}
