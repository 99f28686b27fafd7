package dev.restitch.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Reads secrets: as text, from a variable ({@code { env: NAME }}) or from a file ({@code { file:
 * PATH }}, without the line break at its end). No message shows one.
 */
final class Secrets {

  private Secrets() {}

  /** The secret at a key; empty where it is absent. */
  static Optional<Secret> read(Section section, String key) {
    return text(section, key).map(Secret::new);
  }

  /** The same as plain text, for values that may be secret. */
  static Optional<String> text(Section section, String key) {
    String byFile = Section.join(key, "file");
    if (section.overridden(byFile) && !section.overridden(key)) {
      return section.text(byFile).flatMap(file -> fromFile(section, byFile, file));
    }
    if (section.isScalar(key)) {
      return section.text(key);
    }
    Section reference = section.child(key, "env", "file");
    if (!reference.given()) {
      return Optional.empty();
    }
    if (reference.has("env") == reference.has("file")) {
      section.problem(key, "expected text, { env: NAME } or { file: PATH }");
      return Optional.empty();
    }
    return reference.has("env")
        ? reference.text("env").flatMap(name -> fromVariable(reference, name))
        : reference.text("file").flatMap(file -> fromFile(reference, "file", file));
  }

  private static Optional<String> fromVariable(Section reference, String name) {
    String value = reference.reading().environment().secret(name);
    if (value == null) {
      reference.problem("env", "the environment variable " + name + " is not set, or empty");
    }
    return Optional.ofNullable(value);
  }

  private static Optional<String> fromFile(Section section, String key, String file) {
    try {
      String value = Files.readString(Path.of(file)).replaceFirst("\\R\\z", "");
      if (!value.isEmpty()) {
        return Optional.of(value);
      }
      section.problem(key, "the file " + file + " is empty");
    } catch (IOException | InvalidPathException e) {
      String why = e.getClass().getSimpleName();
      section.problem(key, "the file " + file + " cannot be read: " + why);
    }
    return Optional.empty();
  }
}
