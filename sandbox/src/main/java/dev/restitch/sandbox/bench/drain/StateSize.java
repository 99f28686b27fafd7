package dev.restitch.sandbox.bench.drain;

import dev.restitch.config.RestitchConfig;
import dev.restitch.registry.SchemaRegistries;
import dev.restitch.registry.SchemaRegistry;
import dev.restitch.sandbox.bench.BenchRun;
import dev.restitch.sandbox.bench.Figure;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What the judge keeps of an instance, on its heap and in its changelog: first while a transaction
 * is open, then when it is whole, then while a second one is open. Measured on as many instances as
 * are to be open at once, in a JVM of its own.
 */
final class StateSize {

  private static final double MUST_BYTES = 400;
  private static final int LEAST = 20_000;
  private static final int MOST = 200_000;
  private static final long SETTLE_MILLIS = 3_600_000;
  private static final int TO_WARM_UP = 1;

  private StateSize() {}

  static List<Figure> measure(BenchRun run, DrainServers servers, DrainOptions options)
      throws IOException, InterruptedException {
    long instances = Math.max(Math.min(LEAST, run.sizeOr(LEAST)), Math.min(options.open(), MOST));
    RestitchConfig config =
        DrainSetting.write(
            run.folder().resolve("state.yaml"),
            "state",
            servers.kafka().bootstrapServers(),
            servers.registry().url(),
            options,
            SETTLE_MILLIS);
    SchemaRegistry registry = SchemaRegistries.open(config.registry());
    DrainData data =
        new DrainData(
            instances, 1, options.sides(), 100, false, run.seed(), System.currentTimeMillis());
    String bootstrap = servers.kafka().bootstrapServers();
    try (DrainTopics topics = new DrainTopics(config, bootstrap);
        DrainLoad load = new DrainLoad(config, bootstrap, registry);
        DrainProcess judge =
            run.lifetime()
                .own(
                    DrainProcess.start(
                        Contender.JUDGE,
                        run.folder().resolve("state.yaml"),
                        run.folder(),
                        "1g",
                        options.jvmOptions()))) {
      topics.create();
      String application = judge.begin("state");
      Steps steps = new Steps(data, load, judge, topics, application, instances);
      load.observation("user/warm", data.seen("user/warm", 0, 0), data.startMillis());
      load.written();
      Held empty = steps.held(TO_WARM_UP);
      Held open = steps.after(0, 0, TO_WARM_UP);
      for (int side = 1; side < options.sides() - 1; side++) {
        steps.send(side, 0);
      }
      Held whole = steps.after(options.sides() - 1, 0, TO_WARM_UP);
      Held reopened = steps.after(0, instances, TO_WARM_UP);
      judge.end();
      List<Figure> figures = new ArrayList<>();
      steps.figures(figures, "an open transaction", empty, open, options.sides() == 2);
      steps.figures(figures, "a whole instance", empty, whole, false);
      steps.figures(figures, "a whole instance with an open transaction", empty, reopened, false);
      return figures;
    }
  }

  /** Bytes on the heap, and logged so far. */
  private record Held(long heap, long logged) {}

  private static final class Steps {
    private final DrainData data;
    private final DrainLoad load;
    private final DrainProcess judge;
    private final DrainTopics topics;
    private final String application;
    private final long instances;
    private long loggedBefore;
    private long sent;

    Steps(
        DrainData data,
        DrainLoad load,
        DrainProcess judge,
        DrainTopics topics,
        String application,
        long instances) {
      this.data = data;
      this.load = load;
      this.judge = judge;
      this.topics = topics;
      this.application = application;
      this.instances = instances;
    }

    /** One side of every instance is seen at its transaction, counted from this one. */
    void send(int side, long from) {
      for (long i = 0; i < instances; i++) {
        String instance = "user/" + i;
        load.observation(instance, data.seen(instance, side, from + i), System.currentTimeMillis());
        sent++;
      }
    }

    Held after(int side, long from, long before) throws IOException, InterruptedException {
      send(side, from);
      load.written();
      return held(before + sent);
    }

    Held held(long seen) throws IOException, InterruptedException {
      long heap = judge.drain(seen, true).heapBytes();
      long logged = topics.changelogBytes(application);
      Held held = new Held(heap, logged - loggedBefore);
      loggedBefore = logged;
      return held;
    }

    void figures(List<Figure> all, String of, Held empty, Held held, boolean asked) {
      double heap = (double) (held.heap() - empty.heap()) / instances;
      double logged = (double) held.logged() / instances;
      all.add(Figure.of("state of " + of + ", in memory", "bytes", heap));
      all.add(Figure.of("state of " + of + ", logged", "bytes", logged));
      String sum = "state of " + of;
      all.add(
          asked
              ? Figure.atMost(MUST_BYTES, sum, "bytes", heap + logged)
              : Figure.of(sum, "bytes", heap + logged));
    }
  }
}
