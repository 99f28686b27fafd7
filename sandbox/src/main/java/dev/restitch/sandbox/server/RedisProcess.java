package dev.restitch.sandbox.server;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * One Valkey or Redis server process on loopback, with all keyspace notifications on and nothing
 * written to disk. Ready when {@link #start} returns. Thread-safe.
 */
public final class RedisProcess implements AutoCloseable {

  private static final Duration READY_IN = Duration.ofSeconds(20);
  private static final int TRIES = 4;

  private final int port;
  private final List<String> usual;
  private final Path folder;
  private List<String> command;
  private ChildProcess process;

  private RedisProcess(int port, List<String> command, Path folder) {
    this.port = port;
    this.usual = command;
    this.command = command;
    this.folder = folder;
  }

  /** Starts a standalone primary. */
  public static RedisProcess start(Scratch scratch) throws Exception {
    return start(scratch, List.of());
  }

  /**
   * Starts a server on a free port.
   *
   * @param settings more of the command line, as {@code --name value}
   */
  public static RedisProcess start(Scratch scratch, List<String> settings) throws Exception {
    Path binary = RedisBinary.find(System.getenv(), scratch.dir());
    for (int attempt = 1; ; attempt++) {
      Path folder = scratch.newFolder("redis");
      int port = Ports.free();
      RedisProcess server = new RedisProcess(port, command(binary, port, folder, settings), folder);
      try {
        server.launch();
        return server;
      } catch (IOException e) {
        if (attempt == TRIES) {
          throw e;
        }
      }
    }
  }

  private static List<String> command(Path binary, int port, Path folder, List<String> settings) {
    List<String> command = new ArrayList<>();
    command.add(binary.toString());
    command.addAll(List.of("--port", Integer.toString(port), "--bind", "127.0.0.1"));
    command.addAll(List.of("--dir", folder.toString(), "--save", "", "--appendonly", "no"));
    command.addAll(List.of("--notify-keyspace-events", "KEA", "--daemonize", "no"));
    command.addAll(settings);
    return List.copyOf(command);
  }

  private synchronized void launch() throws Exception {
    process = ChildProcess.start("redis", command, Map.of(), folder, folder.resolve("server.log"));
    boolean ready = false;
    try {
      ready = Attempts.until(READY_IN, () -> !process.alive() || answers());
    } finally {
      if (!ready) {
        process.kill();
      }
    }
    if (!process.alive()) {
      throw new IOException(command.get(0) + " did not start: " + process.tail(5));
    }
  }

  /** True if the process that answers on the port is this very one. */
  private boolean answers() {
    try (RespConnection connection = new RespConnection(port)) {
      return connection.call("INFO", "server").contains("process_id:" + process.pid() + "\r\n");
    } catch (IOException notYet) {
      return false;
    }
  }

  public int port() {
    return port;
  }

  /** {@code redis://127.0.0.1:port}. */
  public String uri() {
    return "redis://127.0.0.1:" + port;
  }

  public synchronized long pid() {
    return process.pid();
  }

  public synchronized boolean alive() {
    return process.alive();
  }

  /** Ends it with SIGKILL; all data is lost. */
  public synchronized void kill() {
    process.kill();
  }

  /**
   * Starts it again on the same port, with what was saved, normally nothing; kills it first if it
   * still runs.
   */
  public synchronized void restart() throws Exception {
    restart(List.of());
  }

  /**
   * Like {@link #restart()}.
   *
   * @param settings override those that it had, as {@code --name value}
   */
  public synchronized void restart(List<String> settings) throws Exception {
    process.kill();
    command = Stream.concat(usual.stream(), settings.stream()).toList();
    launch();
  }

  @Override
  public synchronized void close() {
    process.close();
  }
}
