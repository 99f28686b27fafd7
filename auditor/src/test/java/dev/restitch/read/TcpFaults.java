package dev.restitch.read;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A TCP proxy on loopback that can cut connections, refuse new ones, hold back what the server
 * sends to subscribers, and swallow everything. Its clients keep its address whichever server
 * stands behind it.
 */
public final class TcpFaults implements AutoCloseable {

  private static final int SMALL_BUFFER = 4 * 1024;

  private final Set<Link> links = ConcurrentHashMap.newKeySet();
  private final int port;
  private volatile ServerSocket listening;
  private volatile int target;
  private volatile boolean stalled;
  private volatile boolean swallowing;

  /** Forwards to this port of loopback. */
  public TcpFaults(int target) {
    this.target = target;
    try {
      listening = listen(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    port = listening.getLocalPort();
  }

  private ServerSocket listen(int at) throws IOException {
    ServerSocket socket = new ServerSocket();
    socket.setReuseAddress(true);
    socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), at));
    daemon(() -> accept(socket));
    return socket;
  }

  private void accept(ServerSocket socket) {
    try {
      while (true) {
        Socket client = socket.accept();
        try {
          links.add(new Link(client, target));
        } catch (IOException serverGone) {
          client.close();
        }
      }
    } catch (IOException closed) {
      // refused from now on
    }
  }

  private static void daemon(Runnable task) {
    Thread thread = new Thread(task, "tcp-faults");
    thread.setDaemon(true);
    thread.start();
  }

  public String uri() {
    return "redis://127.0.0.1:" + port;
  }

  public String address() {
    return "127.0.0.1:" + port;
  }

  /** Lets new connections reach another server. */
  public void target(int other) {
    target = other;
  }

  /** Resets every connection. */
  public void cut() {
    links.forEach(Link::reset);
  }

  /** Refuses new connections, until {@link #allow}. */
  public void refuse() {
    try {
      listening.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Takes connections again. */
  public void allow() {
    try {
      listening = listen(port);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads nothing that servers send to subscribers, until told otherwise. */
  public void stallSubscribers(boolean on) {
    stalled = on;
  }

  /** Lets nothing through either way, though every connection stays open. */
  public void swallow(boolean on) {
    swallowing = on;
  }

  @Override
  public void close() {
    refuse();
    cut();
  }

  private final class Link {

    private final Socket client;
    private final Socket server = new Socket();
    private volatile boolean subscriber;

    Link(Socket client, int port) throws IOException {
      this.client = client;
      server.setReceiveBufferSize(SMALL_BUFFER);
      server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      client.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
      daemon(() -> pass(client, server, true));
      daemon(() -> pass(server, client, false));
    }

    private void pass(Socket from, Socket to, boolean upwards) {
      byte[] buffer = new byte[SMALL_BUFFER];
      try {
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream();
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
          if (upwards
              && new String(buffer, 0, read, StandardCharsets.ISO_8859_1).contains("PSUB")) {
            subscriber = true;
          }
          while (!upwards && subscriber && stalled && !client.isClosed()) {
            Thread.sleep(5);
          }
          if (!swallowing) {
            out.write(buffer, 0, read);
          }
        }
      } catch (IOException closed) {
        // both ends are closed below
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      reset();
    }

    void reset() {
      links.remove(this);
      for (Socket socket : new Socket[] {client, server}) {
        try {
          socket.setSoLinger(true, 0);
          socket.close();
        } catch (IOException alreadyClosed) {
          // nothing is left to close
        }
      }
    }
  }
}
