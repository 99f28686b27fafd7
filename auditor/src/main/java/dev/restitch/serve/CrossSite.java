package dev.restitch.serve;

import dev.restitch.config.ManagementConfig;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Keeps web pages from changing anything through the browser of somebody who can reach the port. A
 * page of another site can send no header of ours, nor JSON, without being allowed to; and one that
 * has turned its name to this address still sends that name as {@code Host}. Stateless.
 */
final class CrossSite {

  /** A header that a browser sends for no form, link or picture. */
  static final String HEADER = "X-Restitch-Request";

  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

  private CrossSite() {}

  /**
   * Why a request that changes something is refused; empty: it is not.
   *
   * @param header gives the value of a request's header, or null
   */
  static Optional<String> objection(ManagementConfig config, UnaryOperator<String> header) {
    String type = header.apply("Content-Type");
    if (type == null || !type.toLowerCase(Locale.ROOT).startsWith("application/json")) {
      return Optional.of("send JSON, with 'Content-Type: application/json'");
    }
    String ours = header.apply(HEADER);
    if (ours == null || ours.isBlank()) {
      return Optional.of("send the header '" + HEADER + ": 1', which pages of other sites cannot");
    }
    if (config.token() == null && !known(config, header.apply("Host"))) {
      return Optional.of("ask for this port by its address, or set management.token");
    }
    return Optional.empty();
  }

  private static boolean known(ManagementConfig config, String host) {
    if (host == null) {
      return false;
    }
    String name = host.replaceFirst(":[0-9]+$", "").toLowerCase(Locale.ROOT);
    return LOOPBACK.contains(name) || name.equals(config.host().toLowerCase(Locale.ROOT));
  }
}
