package dev.restitch.sandbox.server;

import io.zonky.test.db.postgres.embedded.DefaultPostgresBinaryResolver;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import io.zonky.test.db.postgres.embedded.PgBinaryResolver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An embedded PostgreSQL on loopback, with durability off. Thread-safe. */
public final class PostgresServer implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(PostgresServer.class);
  private static final Duration READY_IN = Duration.ofSeconds(60);
  private static final int TRIES = 3;
  private static final String WORKING_DIR = "ot.epg.working-dir";

  private final EmbeddedPostgres postgres;
  private final Path data;

  private PostgresServer(EmbeddedPostgres postgres, Path data) {
    this.postgres = postgres;
    this.data = data;
  }

  /** Unpacks and starts a server with an empty database {@code postgres}. */
  public static PostgresServer start(Scratch scratch) throws IOException {
    for (int attempt = 1; ; attempt++) {
      Path folder = scratch.newFolder("postgres");
      Path data = folder.resolve("data");
      try {
        return new PostgresServer(builder(folder, data).start(), data);
      } catch (IOException | IllegalStateException e) {
        endLeftover(data);
        if (attempt == TRIES) {
          throw new IOException("PostgreSQL did not start: " + e.getMessage(), e);
        }
      }
    }
  }

  private static EmbeddedPostgres.Builder builder(Path folder, Path data) {
    // a resolver of its own: unpacked binaries are cached by resolver, and ours go with the folder
    PgBinaryResolver resolver =
        (system, architecture) -> {
          log.atDebug().addKeyValue("folder", folder).log("unpacking PostgreSQL");
          return DefaultPostgresBinaryResolver.INSTANCE.getPgBinary(system, architecture);
        };
    ProcessBuilder.Redirect output =
        ProcessBuilder.Redirect.appendTo(folder.resolve("server.log").toFile());
    return builderIn(folder)
        .setPgBinaryResolver(resolver)
        .setOverrideWorkingDirectory(folder.toFile())
        .setDataDirectory(data)
        .setRegisterShutdownHook(false)
        .setPort(Ports.free())
        .setPGStartupWait(READY_IN)
        .setLocaleConfig("locale", "C")
        .setServerConfig("listen_addresses", "127.0.0.1")
        .setServerConfig("unix_socket_directories", "")
        .setServerConfig("fsync", "off")
        .setServerConfig("full_page_writes", "off")
        .setServerConfig("synchronous_commit", "off")
        .setOutputRedirector(output)
        .setErrorRedirector(output);
  }

  /** The library makes a shared folder of its own unless a property names one. */
  private static synchronized EmbeddedPostgres.Builder builderIn(Path folder) {
    String before = System.setProperty(WORKING_DIR, folder.toString());
    try {
      return EmbeddedPostgres.builder();
    } finally {
      if (before == null) {
        System.clearProperty(WORKING_DIR);
      } else {
        System.setProperty(WORKING_DIR, before);
      }
    }
  }

  public int port() {
    return postgres.getPort();
  }

  /** JDBC URL of the superuser's database. */
  public String jdbcUrl() {
    return "jdbc:postgresql://127.0.0.1:" + port() + "/postgres?user=postgres";
  }

  /** Unpooled connections. */
  public DataSource dataSource() {
    return postgres.getPostgresDatabase();
  }

  @Override
  public void close() throws IOException {
    try {
      postgres.close();
    } finally {
      endLeftover(data);
    }
  }

  /** What an orderly stop did not end is ended by the id in its own file. */
  private static void endLeftover(Path data) throws IOException {
    Path file = data.resolve("postmaster.pid");
    if (Files.exists(file)) {
      Optional<String> pid = Files.readAllLines(file).stream().findFirst();
      pid.flatMap(p -> ProcessHandle.of(Long.parseLong(p.trim())))
          .ifPresent(ProcessHandle::destroyForcibly);
    }
  }
}
