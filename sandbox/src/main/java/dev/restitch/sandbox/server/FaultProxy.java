package dev.restitch.sandbox.server;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A TCP proxy on loopback before one Redis server, that can cut connections, refuse new ones, hold
 * back what the server sends to subscribers, and lose a share of their notifications. Thread-safe.
 */
public final class FaultProxy implements AutoCloseable {

  private static final int SMALL_BUFFER = 4 * 1024;
  private static final long STALL_MILLIS = 5;

  private final Set<Link> links = ConcurrentHashMap.newKeySet();
  private final AtomicLong lost = new AtomicLong();
  private final Random random;
  private final int port;
  private volatile ServerSocket listening;
  private volatile int target;
  private volatile boolean stalled;
  private volatile double lossShare;

  /**
   * Listens on a free port, and closes every connection until it has a {@link #target}.
   *
   * @param seed of which notifications are lost
   */
  public FaultProxy(long seed) throws IOException {
    this.random = new Random(seed);
    this.port = Ports.free();
    this.listening = listen();
  }

  /** Passes new connections on to this port of loopback. */
  public void target(int server) {
    target = server;
  }

  public int port() {
    return port;
  }

  /** {@code redis://127.0.0.1:port}. */
  public String uri() {
    return "redis://127.0.0.1:" + port;
  }

  /** {@code 127.0.0.1:port}. */
  public String address() {
    return "127.0.0.1:" + port;
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
  public void allow() throws IOException {
    listening = listen();
  }

  /** Reads nothing that the server sends to subscribers, until told otherwise. */
  public void stallSubscribers(boolean on) {
    stalled = on;
  }

  /** Loses this share of all notifications, each by chance; nobody is told. */
  public void lose(double share) {
    lossShare = share;
  }

  /** Notifications lost so far. */
  public long lost() {
    return lost.get();
  }

  private ServerSocket listen() throws IOException {
    ServerSocket socket = new ServerSocket();
    socket.setReuseAddress(true);
    socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    daemon(() -> accept(socket));
    return socket;
  }

  private void accept(ServerSocket socket) {
    while (!socket.isClosed()) {
      try {
        Socket client = socket.accept();
        try {
          links.add(new Link(client, target));
        } catch (IOException serverGone) {
          client.close();
        }
      } catch (IOException e) {
        // closed by refuse(), or the client went away before it was let in
      }
    }
  }

  private static void daemon(Runnable task) {
    Thread thread = new Thread(task, "fault-proxy");
    thread.setDaemon(true);
    thread.start();
  }

  private boolean loses(RespFrame frame) {
    if (lossShare == 0 || !frame.isNotification()) {
      return false;
    }
    synchronized (random) {
      if (random.nextDouble() >= lossShare) {
        return false;
      }
    }
    lost.incrementAndGet();
    return true;
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
      // small, so that a stalled subscriber soon fills the server's own buffer
      server.setReceiveBufferSize(SMALL_BUFFER);
      server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      client.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
      daemon(() -> run(this::pass));
      daemon(() -> run(this::answer));
    }

    private interface Way {
      void run() throws IOException, InterruptedException;
    }

    private void run(Way way) {
      try {
        way.run();
      } catch (IOException closed) {
        // both ends are closed below
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      reset();
    }

    private void pass() throws IOException {
      byte[] buffer = new byte[SMALL_BUFFER];
      InputStream in = client.getInputStream();
      OutputStream out = server.getOutputStream();
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        if (new String(buffer, 0, read, StandardCharsets.ISO_8859_1).contains("PSUBSCRIBE")) {
          subscriber = true; // before the server can answer it
        }
        out.write(buffer, 0, read);
      }
    }

    /** Passes bytes; of subscribers whole frames, so that one can be left out. */
    private void answer() throws IOException, InterruptedException {
      BufferedInputStream in = new BufferedInputStream(server.getInputStream(), SMALL_BUFFER);
      BufferedOutputStream out = new BufferedOutputStream(client.getOutputStream(), SMALL_BUFFER);
      byte[] buffer = new byte[SMALL_BUFFER];
      for (int first = in.read(); first >= 0; first = in.read()) {
        while (subscriber && stalled && !client.isClosed()) {
          Thread.sleep(STALL_MILLIS);
        }
        if (subscriber) {
          RespFrame frame = RespFrame.read(first, in);
          if (!loses(frame)) {
            frame.writeTo(out);
          }
        } else {
          out.write(first);
          out.write(buffer, 0, in.read(buffer, 0, Math.min(in.available(), buffer.length)));
        }
        if (in.available() == 0) {
          out.flush();
        }
      }
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
