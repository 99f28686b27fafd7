package dev.restitch.registry;

import dev.restitch.config.ConfigException;
import dev.restitch.config.RegistryConfig;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Where a registry is and how it lets us in.
 *
 * @param bases addresses without credentials and without a slash at the end; several serve the same
 *     registry
 * @param authorization value of the header; null: none
 */
record RegistryEndpoint(List<String> bases, String authorization) {

  static RegistryEndpoint of(RegistryConfig config) {
    List<String> bases = new ArrayList<>();
    String userInfo = null;
    for (String part : config.url().split(",", -1)) {
      URI uri = parse(part.strip());
      userInfo = uri.getUserInfo() == null ? userInfo : uri.getUserInfo();
      bases.add(withoutCredentials(uri));
    }
    if (config.username() != null) {
      String password = config.password() == null ? "" : config.password().reveal();
      userInfo = config.username() + ":" + password;
    }
    return new RegistryEndpoint(List.copyOf(bases), userInfo == null ? null : basic(userInfo));
  }

  /** All addresses, for messages. */
  String address() {
    return String.join(",", bases);
  }

  private static URI parse(String text) {
    URI uri;
    try {
      uri = URI.create(text);
    } catch (IllegalArgumentException e) {
      throw notAnAddress();
    }
    boolean http = "http".equalsIgnoreCase(uri.getScheme());
    if ((!http && !"https".equalsIgnoreCase(uri.getScheme())) || uri.getHost() == null) {
      throw notAnAddress();
    }
    return uri;
  }

  // Says nothing of the text: it may hold a password.
  private static ConfigException notAnAddress() {
    return new ConfigException(
        "registry.url",
        "is not an address; write http://HOST:PORT or https://HOST:PORT (several:"
            + " with commas between them), or mock://NAME");
  }

  private static String withoutCredentials(URI uri) {
    String port = uri.getPort() < 0 ? "" : ":" + uri.getPort();
    String path = uri.getRawPath() == null ? "" : uri.getRawPath().replaceAll("/+$", "");
    return uri.getScheme() + "://" + uri.getHost() + port + path;
  }

  private static String basic(String userInfo) {
    byte[] bytes = userInfo.getBytes(StandardCharsets.UTF_8);
    return "Basic " + Base64.getEncoder().encodeToString(bytes);
  }

  @Override
  public String toString() {
    return bases.stream().collect(Collectors.joining(",", "RegistryEndpoint[", "]"));
  }
}
