package dev.restitch.doctor;

import dev.restitch.config.StoreConfig;
import io.lettuce.core.RedisURI;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a server is, for messages and for commands that a person can run.
 *
 * @param user ACL user; null: default
 * @param password true if one is needed; it is never shown
 */
record ServerAddress(
    String host, int port, boolean tls, int database, String user, boolean password) {

  private static final Pattern CREDENTIALS = Pattern.compile("//(?<user>[^/?#@:]*):[^/?#@]*@");
  private static final Pattern AUTHORITY = Pattern.compile("(?<before>//(?:[^/?#@]*@)?)[^/?#]*");

  static ServerAddress of(StoreConfig store, String uri) {
    RedisURI parsed = RedisURI.create(uri);
    Matcher inside = CREDENTIALS.matcher(uri);
    boolean given = inside.find();
    String user = given && !inside.group("user").isEmpty() ? inside.group("user") : null;
    return new ServerAddress(
        parsed.getHost(),
        parsed.getPort(),
        parsed.isSsl(),
        parsed.getDatabase(),
        store.username() != null ? store.username() : user,
        store.password() != null || given);
  }

  /** The URI of another node, with the credentials and options of this one. */
  static String like(String uri, ServerAddress other) {
    return AUTHORITY
        .matcher(uri)
        .replaceFirst("${before}" + Matcher.quoteReplacement(other.authority()));
  }

  /** Another node of the same store. */
  ServerAddress at(String otherHost, int otherPort) {
    return new ServerAddress(otherHost, otherPort, tls, database, user, password);
  }

  /** A URI without credentials. */
  String uri() {
    return (tls ? "rediss://" : "redis://") + authority() + (database == 0 ? "" : "/" + database);
  }

  private String authority() {
    return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
  }

  /** The shell command that runs a server's command here. */
  String cli(String command) {
    return "redis-cli -h "
        + host
        + " -p "
        + port
        + (tls ? " --tls" : "")
        + (user == null ? "" : " --user " + user)
        + (password ? " --askpass" : "")
        + " "
        + command;
  }

  @Override
  public String toString() {
    return host + ":" + port;
  }
}
