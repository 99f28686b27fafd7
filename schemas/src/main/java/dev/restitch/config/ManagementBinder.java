package dev.restitch.config;

import java.util.Optional;
import java.util.regex.Pattern;

/** Binds {@code management}. */
final class ManagementBinder {

  private static final Pattern LOOPBACK =
      Pattern.compile(
          "localhost|127(\\.\\d{1,3}){3}|\\[?(::1|(0{1,4}:){7}0{0,3}1)]?",
          Pattern.CASE_INSENSITIVE);

  private ManagementBinder() {}

  static ManagementConfig bind(Section root) {
    Section management = root.child("management", "host", "port", "worker-port", "token");
    String host = management.text("host").orElse("127.0.0.1");
    int port = Values.integer(management, "port", 8282, 0, 65_535);
    int workerPort = Values.integer(management, "worker-port", 8283, 0, 65_535);
    Optional<Secret> token = Secrets.read(management, "token");
    if (!LOOPBACK.matcher(host).matches() && token.isEmpty()) {
      management.problem(
          "token", "is missing; it is required because host " + host + " is not loopback");
    }
    return new ManagementConfig(host, port, workerPort, token.orElse(null));
  }
}
