package dev.restitch.config;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** Binds {@code sources}. */
final class SourceBinder {

  private SourceBinder() {}

  static Map<String, SourceConfig> bind(Section root) {
    Section sources = root.names("sources");
    Map<String, SourceConfig> bound = new LinkedHashMap<>();
    for (String name : sources.names()) {
      Values.checkName(sources, name);
      Section source = sources.child(name, "jdbc", "username", "password", "query", "pool");
      bound.put(name, bind(name, source));
    }
    return bound;
  }

  private static SourceConfig bind(String name, Section source) {
    String example = "jdbc:postgresql://localhost/app";
    String jdbc =
        source.parse("jdbc", source.required("jdbc", example), SourceBinder::jdbc).orElse(null);
    Section query = source.names("query");
    Map<String, String> queries = new LinkedHashMap<>();
    for (String side : query.names()) {
      query.text(side).ifPresent(sql -> queries.put(side, sql));
    }
    return new SourceConfig(
        name,
        jdbc,
        source.text("username").orElse(null),
        Secrets.read(source, "password").orElse(null),
        Collections.unmodifiableMap(queries),
        Values.integer(source, "pool", 4, 1, 1000));
  }

  private static String jdbc(String text) {
    if (!text.startsWith("jdbc:") || text.length() < "jdbc:x:y".length()) {
      throw new IllegalArgumentException(
          "expected a JDBC URL such as jdbc:postgresql://localhost/app, not '"
              + Masking.address(text)
              + "'");
    }
    return text;
  }
}
