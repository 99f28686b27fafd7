package dev.restitch.sandbox.bench.drain;

import dev.restitch.sandbox.bench.Figure;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Gathers what the rounds measured, and makes figures of it. Not thread-safe. */
final class DrainFigures {

  private static final double MUST_TIMES = 2.5;
  private static final double MUST_TIMES_MANY_OPEN = 3.5;
  private static final int MANY_OPEN = 100_000;
  private static final double MUST_TIMES_CHEAPER = 6;

  /** One drain. */
  record Round(Measured measured, long changelogBytes) {}

  private final DrainData data;
  private final Map<Contender, List<Round>> rounds = new EnumMap<>(Contender.class);

  DrainFigures(DrainData data) {
    this.data = data;
  }

  void add(Contender contender, Round round) {
    rounds.computeIfAbsent(contender, c -> new ArrayList<>()).add(round);
  }

  List<Figure> figures() {
    List<Figure> all = new ArrayList<>();
    ratio(all, Contender.JUDGE, Contender.PASS_THROUGH);
    ratio(all, Contender.OUTER_JOIN, Contender.JUDGE);
    ratio(all, Contender.SESSION_WINDOW, Contender.JUDGE);
    ratio(all, Contender.ROCKSDB, Contender.JUDGE);
    rounds.forEach(
        (contender, of) -> {
          String name = contender.label() + ", ";
          all.add(figure(name + "rate", "records/s", of, DrainFigures::rate));
          all.add(figure(name + "CPU", "s per million records", of, DrainFigures::cpu));
          all.add(
              figure(
                  name + "allocation",
                  "bytes/record",
                  of,
                  r -> (double) r.measured().allocatedBytes() / r.measured().records()));
          all.add(figure(name + "collector", "s", of, r -> r.measured().gcSeconds()));
          all.add(
              figure(
                  name + "changelog",
                  "bytes/transaction",
                  of,
                  r -> (double) r.changelogBytes() / data.transactions()));
          all.add(figure(name + "peak memory", "MB", of, r -> r.measured().peakBytes() / 1e6));
        });
    return all;
  }

  private void ratio(List<Figure> all, Contender above, Contender below) {
    List<Round> a = rounds.get(above);
    List<Round> b = rounds.get(below);
    if (a == null || b == null) {
      return;
    }
    double[] samples = new double[Math.min(a.size(), b.size())];
    for (int i = 0; i < samples.length; i++) {
      samples[i] = cpu(a.get(i)) / cpu(b.get(i));
    }
    String name = "CPU, %s / %s".formatted(above.label(), below.label());
    all.add(
        switch (above) {
          case JUDGE ->
              Figure.atMost(
                  data.open() < MANY_OPEN ? MUST_TIMES : MUST_TIMES_MANY_OPEN,
                  name,
                  "ratio",
                  samples);
          case OUTER_JOIN, SESSION_WINDOW ->
              Figure.atLeast(MUST_TIMES_CHEAPER, name, "ratio", samples);
          case RAW_CONSUMER, PASS_THROUGH, ROCKSDB -> Figure.of(name, "ratio", samples);
        });
  }

  private static Figure figure(
      String name, String unit, List<Round> of, ToDoubleFunction<Round> value) {
    return Figure.of(name, unit, of.stream().mapToDouble(value).toArray());
  }

  static double rate(Round round) {
    return round.measured().records() / round.measured().seconds();
  }

  static double cpu(Round round) {
    return round.measured().cpuSeconds() * 1e6 / round.measured().records();
  }
}
