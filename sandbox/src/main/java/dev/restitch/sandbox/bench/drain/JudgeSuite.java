package dev.restitch.sandbox.bench.drain;

import dev.restitch.config.RestitchConfig;
import dev.restitch.registry.SchemaRegistries;
import dev.restitch.registry.SchemaRegistry;
import dev.restitch.sandbox.bench.BenchRun;
import dev.restitch.sandbox.bench.Figure;
import dev.restitch.sandbox.bench.Suite;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The judge beside its peers. Each contender has a JVM of its own, that stays warm from round to
 * round; the broker has another. First in every run is a round that is not counted. The size is
 * transactions.
 */
public final class JudgeSuite implements Suite {

  private static final long OWN_SIZE = 400_000;
  private static final long OWN_SIZE_AT_LEAST_OPEN = 2;
  private static final long BEFORE_NOW_MILLIS = 60_000;
  private static final long SMALL_HEAP = 1L << 30;
  private static final long HEAP_BYTES_AN_INSTANCE = 1_500;

  @Override
  public String name() {
    return "judge";
  }

  @Override
  public String title() {
    return "CPU, rate and state of the judge's topology beside topologies that do less";
  }

  @Override
  public List<Figure> run(BenchRun run) throws IOException, InterruptedException {
    DrainOptions options = run.drain();
    DrainData data = data(run, options);
    long heap = heap(data);
    DrainNeeds.of(data, options.contenders().size(), heap).check(run.folder());
    DrainServers servers = DrainServers.start(run);
    RestitchConfig config =
        DrainSetting.write(
            run.folder().resolve("judge.yaml"),
            "bench",
            servers.kafka().bootstrapServers(),
            servers.registry().url(),
            options,
            DrainData.SETTLE_MILLIS);
    SchemaRegistry registry = SchemaRegistries.open(config.registry());
    try (DrainTopics topics = new DrainTopics(config, servers.kafka().bootstrapServers())) {
      topics.create();
      load(run, servers, config, registry, data);
      List<DrainProcess> contenders = new ArrayList<>();
      for (Contender contender : options.contenders()) {
        contenders.add(process(run, contender, heap));
      }
      DrainRounds rounds =
          new DrainRounds(run, config, registry, servers, topics, data, contenders);
      List<Figure> figures = new ArrayList<>(rounds.run());
      if (options.kill()) {
        rounds.killed(process(run, Contender.JUDGE, heap), process(run, Contender.JUDGE, heap));
      }
      if (options.contenders().contains(Contender.JUDGE)) {
        figures.addAll(StateSize.measure(run, servers, options));
      }
      return figures;
    }
  }

  private static DrainProcess process(BenchRun run, Contender contender, long heap)
      throws IOException {
    return run.lifetime()
        .own(
            DrainProcess.start(
                contender,
                run.folder().resolve("judge.yaml"),
                run.folder(),
                (heap >> 20) + "m",
                run.drain().jvmOptions()));
  }

  private static DrainData data(BenchRun run, DrainOptions options) {
    long size = run.sizeOr(Math.max(OWN_SIZE, OWN_SIZE_AT_LEAST_OPEN * options.open()));
    long span = DrainData.spanMillis(size, options.open());
    return new DrainData(
        size,
        options.open(),
        options.sides(),
        options.valueSize(),
        options.intents(),
        run.seed(),
        System.currentTimeMillis() - span - BEFORE_NOW_MILLIS);
  }

  /** The same for all contenders. */
  private static long heap(DrainData data) {
    return Math.max(SMALL_HEAP, data.population() * HEAP_BYTES_AN_INSTANCE);
  }

  private static void load(
      BenchRun run,
      DrainServers servers,
      RestitchConfig config,
      SchemaRegistry registry,
      DrainData data)
      throws IOException {
    try (DrainLoad load = new DrainLoad(config, servers.kafka().bootstrapServers(), registry)) {
      data.write(load);
      long written = load.written();
      if (written != data.records()) {
        throw new IllegalStateException(written + " records instead of " + data.records());
      }
      run.progress()
          .accept(
              "data: %,d transactions of %d sides, %,d open at once, %,d records, %,d tears"
                  .formatted(
                      data.transactions(), data.sides(), data.open(), written, data.tornCount()));
    }
  }
}
