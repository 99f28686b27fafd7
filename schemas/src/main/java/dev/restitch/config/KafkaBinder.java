package dev.restitch.config;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Binds {@code kafka}: client properties, passed through; any of them may be a secret. */
final class KafkaBinder {

  private static final String SECTION = "kafka";
  private static final String BOOTSTRAP = "bootstrap.servers";

  private KafkaBinder() {}

  static Map<String, String> bind(Section root) {
    Section kafka = root.names(SECTION);
    Environment environment = root.reading().environment();
    Map<String, String> properties = new LinkedHashMap<>();
    properties.put(BOOTSTRAP, "localhost:9092");
    Set<String> names = kafka.names();
    names.add(BOOTSTRAP);
    for (String name : names) {
      Secrets.text(kafka, name).ifPresent(value -> properties.put(name, value));
    }
    for (String variable : environment.unusedUnder(SECTION)) {
      String property = propertyOf(variable);
      properties.put(property, environment.use(variable, kafka.path(property)));
    }
    return Collections.unmodifiableMap(properties);
  }

  /** Kafka's own names have dots only. */
  private static String propertyOf(String variable) {
    int prefix = Environment.nameOf(SECTION).length() + 1;
    return variable.substring(prefix).toLowerCase(Locale.ROOT).replace('_', '.');
  }
}
