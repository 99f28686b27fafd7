package dev.restitch.cli;

import dev.restitch.config.RestitchConfig;
import dev.restitch.serve.AuditorService;
import dev.restitch.startup.UnreachableException;
import dev.restitch.topic.TopicMismatchException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code restitch auditor}: watches, judges and probes until it is told to stop. */
@Command(
    name = "auditor",
    description = "Runs the auditor: watches the stores, judges, probes, and declares incidents.")
final class AuditorCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @Mixin private ConfigOption config;

  @Override
  public Integer call() throws InterruptedException {
    RestitchConfig loaded = config.load(spec);
    AuditorService service = new AuditorService(loaded);
    Thread hook = new Thread(service::close, "restitch-stop");
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      service.start();
    } catch (UnreachableException | TopicMismatchException e) {
      spec.commandLine().getErr().println("error: " + e.getMessage());
      return ExitCodes.ERROR;
    }
    service.awaitStop();
    return ExitCodes.OK;
  }
}
