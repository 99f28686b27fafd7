package dev.restitch.sandbox.bench.drain;

import dev.restitch.config.RestitchConfig;
import dev.restitch.registry.SchemaRegistry;
import dev.restitch.sandbox.bench.BenchRun;
import dev.restitch.sandbox.bench.Figure;
import dev.restitch.sandbox.bench.WrongAnswerException;
import dev.restitch.sandbox.workload.IncidentFeed;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** The contenders' turns, with the judge's answers checked in each of its own. */
record DrainRounds(
    BenchRun bench,
    RestitchConfig config,
    SchemaRegistry registry,
    DrainServers servers,
    DrainTopics topics,
    DrainData data,
    List<DrainProcess> contenders) {

  private static final long ANSWERED_IN_NANOS = 60_000_000_000L;
  private static final long LOOK_NANOS = 20_000_000;

  List<Figure> run() throws IOException, InterruptedException {
    DrainFigures figures = new DrainFigures(data);
    for (int round = 0; round <= bench.rounds(); round++) {
      StringBuilder line = new StringBuilder(round == 0 ? "warming up:" : "round " + round + ":");
      for (DrainProcess contender : contenders) {
        DrainFigures.Round result = turn(contender, round);
        line.append(
            " %s %.2f s CPU per million"
                .formatted(contender.contender().label(), DrainFigures.cpu(result)));
        if (round > 0) {
          figures.add(contender.contender(), result);
        }
      }
      bench.progress().accept(line.toString());
    }
    return figures.figures();
  }

  private DrainFigures.Round turn(DrainProcess contender, int round)
      throws IOException, InterruptedException {
    String application =
        contender.begin("%s-%s-%d".formatted(prefix(), contender.contender().label(), round));
    DrainFigures.Round result;
    if (contender.contender() == Contender.JUDGE) {
      result = judged(contender, application);
    } else {
      result = drained(contender, application);
    }
    contender.end();
    topics.forget(application.isEmpty() ? prefix() + "-none" : application);
    return result;
  }

  private String prefix() {
    return config.topics().prefix();
  }

  private DrainFigures.Round drained(DrainProcess contender, String application)
      throws IOException, InterruptedException {
    Measured measured = contender.drain(data.records(), false);
    return new DrainFigures.Round(
        measured, application.isEmpty() ? 0 : topics.changelogBytes(application));
  }

  /**
   * Kills the judge in the middle of its drain, begins it again in a new process, and checks that
   * it answers as if nothing had happened.
   */
  void killed(DrainProcess first, DrainProcess second) throws IOException, InterruptedException {
    DrainAnswers answers = new DrainAnswers(data);
    String application = first.begin(prefix() + "-judge");
    try (ModelProber prober =
            ModelProber.start(config, servers.kafka().bootstrapServers(), registry, data);
        IncidentFeed incidents =
            IncidentFeed.start(config, registry, (incident, at) -> answers.declared(incident))) {
      first.drain(data.records() / 3, false);
      first.kill();
      int before = answers.found();
      second.begin(application);
      Measured after = second.drain(1, false);
      awaitAnswers(answers);
      answers.check();
      if (prober.needless() > 0 || incidents.unreadable() > 0) {
        throw new WrongAnswerException(
            "judge: after a kill, %,d probes were for instances that are whole"
                .formatted(prober.needless()));
      }
      bench
          .progress()
          .accept(
              ("killed with %d of %d tears declared, and begun again: the answers are the same;"
                      + " %,d records in its first second")
                  .formatted(before, answers.found(), after.records()));
    }
    second.end();
    topics.forget(application);
  }

  private static void awaitAnswers(DrainAnswers answers) {
    long until = System.nanoTime() + ANSWERED_IN_NANOS;
    while (!answers.complete() && System.nanoTime() < until) {
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  private DrainFigures.Round judged(DrainProcess contender, String application)
      throws IOException, InterruptedException {
    DrainAnswers answers = new DrainAnswers(data);
    try (ModelProber prober =
            ModelProber.start(config, servers.kafka().bootstrapServers(), registry, data);
        IncidentFeed incidents =
            IncidentFeed.start(config, registry, (incident, at) -> answers.declared(incident))) {
      DrainFigures.Round result = drained(contender, application);
      awaitAnswers(answers);
      answers.check();
      if (prober.needless() > 0 || incidents.unreadable() > 0) {
        throw new WrongAnswerException(
            "judge: %,d of %,d probes were for instances that are whole, and %,d incidents could"
                    .formatted(prober.needless(), prober.asked(), incidents.unreadable())
                + " not be read; such as "
                + prober.example()
                + "; recorded from "
                + data.startMillis());
      }
      return result;
    }
  }
}
