package dev.restitch.worker;

import dev.restitch.config.RestitchConfig;
import dev.restitch.control.ControlFeed;
import dev.restitch.worker.command.OutcomeCounts;
import dev.restitch.worker.serve.WorkerPort;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One repair worker with its peers and its management port. Thread-safe. */
public final class WorkerService implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(WorkerService.class);

  private final WorkerPeers peers;
  private final RepairWorker worker;
  private final WorkerPort port;

  private WorkerService(WorkerPeers peers, RepairWorker worker, WorkerPort port) {
    this.peers = peers;
    this.worker = worker;
    this.port = port;
  }

  /**
   * Waits for the peers and begins; blocks until then.
   *
   * @param name the worker's name, for outcomes, intents and log
   * @param dryRun true: nothing is written
   * @throws dev.restitch.startup.UnreachableException if a peer was not to be had within the
   *     startup patience
   * @throws IOException if the management port is taken
   */
  public static WorkerService start(RestitchConfig config, String name, boolean dryRun)
      throws IOException {
    WorkerPeers peers = WorkerPeers.open(config, name, dryRun);
    RepairWorker worker = new RepairWorker(peers.peers());
    try {
      peers.controls().onChange(worker::controlsChanged);
      PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
      worker.bind(meters);
      FunctionCounter.builder(
              "restitch.worker.controls.unreadable", peers.controls(), ControlFeed::unreadable)
          .register(meters);
      WorkerPort.Health health =
          new WorkerPort.Health(
              () -> !worker.ended().toCompletableFuture().isDone(), worker::taking);
      WorkerPort port = new WorkerPort(config.management(), health, meters);
      worker.start();
      log.atInfo()
          .addKeyValue("worker", name)
          .addKeyValue("stores", peers.peers().stores().keySet())
          .addKeyValue("sources", peers.peers().sources().keySet())
          .addKeyValue("port", port.port())
          .addKeyValue("dryRun", dryRun)
          .log("repair worker started");
      return new WorkerService(peers, worker, port);
    } catch (RuntimeException | IOException e) {
      worker.close();
      peers.close();
      throw e;
    }
  }

  /** Completes when the worker has ended; fails if it ended by itself, with the reason. */
  public CompletionStage<Void> ended() {
    return worker.ended();
  }

  /** What came in, and what became of it. */
  public OutcomeCounts counts() {
    return worker.counts();
  }

  /** True while the worker is given commands. */
  public boolean taking() {
    return worker.taking();
  }

  /** The management port that it listens on. */
  public int port() {
    return port.port();
  }

  /** Lets what is in progress end, for some seconds, and closes everything. Idempotent. */
  @Override
  public void close() {
    worker.close();
    port.close();
    peers.close();
  }
}
