package dev.restitch.sandbox.bench;

import dev.restitch.sandbox.server.RedisProcess;
import dev.restitch.sandbox.server.Scratch;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.IOException;
import java.util.Optional;

/** The server that a suite measures on. Stateless. */
public final class BenchServer {

  private BenchServer() {}

  /** Starts one primary, that ends with the run, and tells the run which version it is. */
  public static RedisProcess start(BenchRun run) throws IOException, InterruptedException {
    try {
      Scratch scratch = run.lifetime().own(Scratch.create("restitch-bench-redis"));
      RedisProcess server = run.lifetime().own(RedisProcess.start(scratch));
      run.versions().add(version(server));
      return server;
    } catch (IOException | InterruptedException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException("the server did not start: " + e.getMessage(), e);
    }
  }

  private static String version(RedisProcess server) {
    RedisClient client = RedisClient.create(server.uri());
    try (StatefulRedisConnection<String, String> connection = client.connect()) {
      String info = connection.sync().info("server");
      return field(info, "valkey_version:")
          .map(version -> "Valkey " + version)
          .or(() -> field(info, "redis_version:").map(version -> "Redis " + version))
          .orElse("a server of unknown version");
    } finally {
      client.shutdown();
    }
  }

  private static Optional<String> field(String info, String name) {
    return info.lines()
        .filter(line -> line.startsWith(name))
        .map(line -> line.substring(name.length()).trim())
        .findFirst();
  }
}
