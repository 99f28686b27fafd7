package dev.restitch.sandbox.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Finds free loopback ports for servers that cannot choose one themselves. Ports lie below the
 * range from which the system gives ports to outgoing connections, so that none of these takes one
 * in the meantime; a port is given once in the life of this JVM. Another process can still be
 * faster: whoever binds must be ready to try again.
 */
public final class Ports {

  private static final int LOWEST = 14_000;
  private static final int HIGHEST = 31_999;
  private static final int CONNECT_MILLIS = 1_000;
  private static final int TRIES = 1_000;
  private static final Set<Integer> given = new HashSet<>();

  private Ports() {}

  /**
   * A port that nobody listens on now.
   *
   * @throws IllegalStateException if none is found
   */
  public static synchronized int free() {
    for (int i = 0; i < TRIES; i++) {
      int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST + 1);
      if (!given.contains(port) && bindable(port)) {
        given.add(port);
        return port;
      }
    }
    throw new IllegalStateException("no free port between " + LOWEST + " and " + HIGHEST);
  }

  /** True if somebody listens on the port. */
  static boolean accepts(int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MILLIS);
      return true;
    } catch (IOException refused) {
      return false;
    }
  }

  private static boolean bindable(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException taken) {
      return false;
    }
  }
}
