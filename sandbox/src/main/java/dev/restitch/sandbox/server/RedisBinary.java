package dev.restitch.sandbox.server;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Finds a server to run: {@code RESTITCH_REDIS_SERVER}, then {@code valkey-server} or {@code
 * redis-server} on the path, then the one that comes with the build.
 */
final class RedisBinary {

  private static final String EMBEDDED_VERSION = "7.0.15";

  private RedisBinary() {}

  /**
   * @param folder where the embedded binary is unpacked, once
   * @throws IOException if nothing that runs here is found; the message says what to do
   */
  static Path find(Map<String, String> environment, Path folder) throws IOException {
    String configured = environment.get("RESTITCH_REDIS_SERVER");
    if (configured != null && !configured.isBlank()) {
      Path path = Path.of(configured);
      if (!Files.isExecutable(path)) {
        throw new IOException("RESTITCH_REDIS_SERVER names no executable: " + configured);
      }
      return path;
    }
    String path = environment.getOrDefault("PATH", "");
    Optional<Path> installed = onPath(path, "valkey-server").or(() -> onPath(path, "redis-server"));
    return installed.isPresent() ? installed.get() : unpack(folder);
  }

  private static Optional<Path> onPath(String path, String name) {
    for (String dir : path.split(File.pathSeparator, -1)) {
      Path candidate = Path.of(dir.isEmpty() ? "." : dir, name);
      if (Files.isRegularFile(candidate) && Files.isExecutable(candidate)) {
        return Optional.of(candidate.toAbsolutePath());
      }
    }
    return Optional.empty();
  }

  private static synchronized Path unpack(Path folder) throws IOException {
    String resource = "redis-server-" + EMBEDDED_VERSION + "-" + system() + "-" + architecture();
    Path target = folder.resolve(resource);
    if (Files.isExecutable(target)) {
      return target;
    }
    try (InputStream in = RedisBinary.class.getClassLoader().getResourceAsStream(resource)) {
      if (in == null) {
        throw new IOException(
            "no embedded Redis for this system ("
                + resource
                + "); install redis-server or valkey-server, or set RESTITCH_REDIS_SERVER");
      }
      Path part = Files.createTempFile(folder, "redis-server", ".part");
      Files.copy(in, part, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
      if (!part.toFile().setExecutable(true, true)) {
        throw new IOException("cannot make " + part + " executable");
      }
      Files.move(part, target, java.nio.file.StandardCopyOption.ATOMIC_MOVE);
    }
    return target;
  }

  private static String system() {
    String os = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    return os.contains("mac") ? "darwin" : os;
  }

  private static String architecture() {
    return switch (System.getProperty("os.arch")) {
      case "x86_64", "amd64" -> "amd64";
      case "aarch64", "arm64" -> "arm64";
      case "x86", "i386" -> "386";
      default -> System.getProperty("os.arch");
    };
  }
}
