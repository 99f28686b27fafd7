package dev.restitch.doctor;

import dev.restitch.config.RestitchConfig;
import dev.restitch.config.SourceConfig;
import dev.restitch.config.StoreConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Examines everything that a configuration names, one after the other. What does not answer is a
 * finding; every examination has a time limit. Blocks; not thread-safe.
 */
public final class Doctor {

  private final RestitchConfig config;
  private final Treatment treatment;
  private final Consumer<String> progress;

  /**
   * @param treatment leave to change something; null: nothing is changed
   * @param progress told before each examination
   */
  public Doctor(RestitchConfig config, Treatment treatment, Consumer<String> progress) {
    this.config = config;
    this.treatment = treatment;
    this.progress = progress;
  }

  /**
   * Examines all.
   *
   * @return the findings: stores in the order of the configuration, then Kafka, registry, sources
   * @throws InterruptedException if interrupted meanwhile
   */
  public List<Finding> examine() throws InterruptedException {
    List<Finding> findings = new ArrayList<>();
    for (StoreConfig store : config.stores().values()) {
      findings.addAll(new StoreExam(new StoreNeeds(config, store), treatment, progress).examine());
    }
    progress.accept("examining Kafka");
    findings.addAll(new KafkaExam(config, treatment).examine());
    progress.accept("examining the schema registry");
    findings.addAll(new RegistryExam(config).examine());
    for (SourceConfig source : config.sources().values()) {
      progress.accept("examining source " + source.name());
      findings.addAll(new SourceExam(config, source).examine());
    }
    return findings;
  }
}
