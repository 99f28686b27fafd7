package dev.restitch.worker;

import dev.restitch.config.ConfigException;
import dev.restitch.config.ConfigLoader;
import dev.restitch.config.RestitchConfig;
import dev.restitch.startup.UnreachableException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs a repair worker until it is told to stop. */
@Command(
    name = "repair-worker",
    description = "Carries out repair commands, by compare-and-set, until it is stopped.",
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:stopped",
      "1:a peer was not reachable within the startup patience, or was lost for good",
      "2:usage, or a configuration that is not valid"
    })
public final class RepairWorkerMain implements Callable<Integer> {

  private static final Logger log = LoggerFactory.getLogger(RepairWorkerMain.class);
  private static final int FAILED = 1;
  private static final int BAD_INPUT = 2;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      defaultValue = "restitch.yaml",
      description = "The configuration; default: ${DEFAULT-VALUE}.")
  private Path config;

  @Option(
      names = "--dry-run",
      description = "Write nothing: refuse every command, and say what would have been done.")
  private boolean dryRun;

  @Spec private CommandSpec spec;

  /** The command's entry. */
  public static void main(String[] arguments) {
    System.exit(new CommandLine(new RepairWorkerMain()).execute(arguments));
  }

  @Override
  public Integer call() {
    RestitchConfig loaded;
    try {
      loaded = ConfigLoader.load(config, System.getenv());
    } catch (ConfigException e) {
      e.problems()
          .forEach(p -> say(p.path().isEmpty() ? p.message() : p.path() + ": " + p.message()));
      return BAD_INPUT;
    }
    try (WorkerService service = WorkerService.start(loaded, name(), dryRun)) {
      return work(service);
    } catch (UnreachableException | IOException e) {
      say(e.getMessage());
      return FAILED;
    } catch (RuntimeException e) {
      log.atDebug().setCause(e).log("start failed");
      say(e.getMessage() == null ? e.toString() : e.getMessage());
      return FAILED;
    }
  }

  private int work(WorkerService service) {
    CountDownLatch closed = new CountDownLatch(1);
    Thread stop =
        new Thread(
            () -> {
              service.close();
              awaitQuietly(closed);
            },
            "restitch-stop");
    Runtime.getRuntime().addShutdownHook(stop);
    try {
      service.ended().toCompletableFuture().join();
      return 0;
    } catch (CompletionException e) {
      say("the repair worker lost Kafka for good: " + e.getCause().getMessage());
      return FAILED;
    } finally {
      service.close();
      closed.countDown();
    }
  }

  private static void awaitQuietly(CountDownLatch closed) {
    try {
      closed.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void say(String line) {
    spec.commandLine().getErr().println(line);
  }

  private static String name() {
    String host;
    try {
      host = InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      host = "unknown";
    }
    return host + "/" + ManagementFactory.getRuntimeMXBean().getPid();
  }
}
