package dev.restitch.sandbox.bench.drain;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.restitch.config.ConfigLoader;
import dev.restitch.config.RestitchConfig;
import dev.restitch.registry.SchemaRegistries;
import dev.restitch.registry.SchemaRegistry;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * A contender's process: it is told what to do on stdin, a line each, and answers each line with
 * one on stdout. It ends with its input, so that it never outlives the bench.
 *
 * <pre>
 * start APPLICATION   -> started APPLICATION
 * drain RECORDS [live] -> {@link Measured} as JSON, once so many records were seen in all
 * stop                -> stopped
 * </pre>
 */
public final class DrainMain {

  /** Begins every line that is an answer. */
  static final String ANSWER = "> ";

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long LOOK_NANOS = 1_000_000;
  private static final long SILENCE_NANOS = 60_000_000_000L;

  /** Longer than a commit interval: what the last record changed is committed then. */
  private static final long COMMITTED_AFTER_MILLIS = 700;

  private final Contender contender;
  private final Path configFile;
  private Drain drain;

  private DrainMain(Contender contender, Path configFile) {
    this.contender = contender;
    this.configFile = configFile;
  }

  /** {@code CONTENDER CONFIG}. */
  public static void main(String[] args) throws IOException, InterruptedException {
    PrintStream answers = System.out;
    System.setOut(System.err); // whatever is logged is no answer
    new DrainMain(Contender.named(args[0]), Path.of(args[1])).run(answers);
    System.exit(0);
  }

  private void run(PrintStream answers) throws IOException, InterruptedException {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String[] words = line.split(" ");
      answers.println(
          ANSWER
              + switch (words[0]) {
                case "start" -> start(words[1]);
                case "drain" -> drain(Long.parseLong(words[1]), words.length > 2);
                case "stop" -> stop();
                default -> throw new IOException("an unknown command: " + line);
              });
      answers.flush();
    }
  }

  private String start(String application) throws IOException {
    Path own = configFile.resolveSibling("run-" + contender.label() + ".yaml");
    String state = configFile.resolveSibling("state-" + application).toString();
    Files.writeString(
        own, Files.readString(configFile).replaceAll("(?m)^state-dir: .*$", "state-dir: " + state));
    RestitchConfig config = ConfigLoader.load(own, Map.of());
    SchemaRegistry registry = SchemaRegistries.open(config.registry());
    LongAdder seen = new LongAdder();
    PeerTopologies peers = new PeerTopologies(config, registry, seen);
    drain =
        switch (contender) {
          case RAW_CONSUMER -> new RawDrain(config);
          case PASS_THROUGH -> new StreamsDrain(config, application, peers.passThrough(), seen);
          case JUDGE -> new JudgeDrain(config, registry);
          case OUTER_JOIN -> new StreamsDrain(config, application, peers.outerJoin(), seen);
          case SESSION_WINDOW -> new StreamsDrain(config, application, peers.sessionWindow(), seen);
          case ROCKSDB -> new StreamsDrain(config, application, peers.rocksdb(), seen);
        };
    return "started " + drain.application();
  }

  private String drain(long records, boolean live) throws IOException, InterruptedException {
    long already = drain.seen();
    if (already == 0) {
      drain.start();
    }
    await(already + 1);
    Meter begun = Meter.now();
    await(records);
    long last = System.nanoTime();
    Thread.sleep(COMMITTED_AFTER_MILLIS);
    Meter done = Meter.now();
    return JSON.writeValueAsString(
        new Measured(
            drain.seen(),
            (last - begun.nanos()) / 1e9,
            (done.cpuNanos() - begun.cpuNanos()) / 1e9,
            done.allocated() - begun.allocated(),
            (done.gcMillis() - begun.gcMillis()) / 1e3,
            live ? Meter.liveHeap() : -1,
            Meter.peakResident()));
  }

  private void await(long records) throws IOException {
    long before = -1;
    long since = System.nanoTime();
    while (drain.seen() < records) {
      long seen = drain.seen();
      if (seen != before) {
        before = seen;
        since = System.nanoTime();
      } else if (System.nanoTime() - since > SILENCE_NANOS) {
        throw new IOException(contender.label() + " stopped at record " + seen + " of " + records);
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  private String stop() {
    drain.close();
    return "stopped";
  }
}
