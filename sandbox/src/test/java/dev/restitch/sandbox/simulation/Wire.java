package dev.restitch.sandbox.simulation;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * One connection: what is sent is carried out in order, each command in a step of its own. Now and
 * then one is lost before it arrives, or its answer is.
 */
final class Wire {

  private record Call<T>(Supplier<String> what, Supplier<T> command, CompletableFuture<T> answer) {}

  private final Scheduler scheduler;
  private final Actor owner;
  private final Actor network;
  private final Supplier<? extends RuntimeException> fault;
  private final double faults;
  private final Deque<Call<?>> sent = new ArrayDeque<>();

  /**
   * @param network carries out what is on its way when its owner dies
   * @param fault what a lost command, or a lost answer, looks like
   * @param faults how probable it is that one is lost
   */
  Wire(
      Scheduler scheduler,
      Actor owner,
      Actor network,
      Supplier<? extends RuntimeException> fault,
      double faults) {
    this.scheduler = scheduler;
    this.owner = owner;
    this.network = network;
    this.fault = fault;
    this.faults = faults;
  }

  <T> CompletionStage<T> call(Supplier<String> what, Supplier<T> command) {
    Call<T> call = new Call<>(what, command, new CompletableFuture<>());
    sent.add(call);
    if (sent.size() == 1) {
      scheduler.soon(owner, this::next);
    }
    return call.answer();
  }

  private void next() {
    Call<?> call = sent.remove();
    if (!sent.isEmpty()) {
      scheduler.soon(owner, this::next);
    }
    carryOut(call);
  }

  private <T> void carryOut(Call<T> call) {
    boolean lost = faults > 0 && scheduler.chance(faults);
    if (lost && scheduler.chance(0.5)) {
      scheduler.tell(owner, () -> call.what().get() + " - lost before it arrived");
      call.answer().completeExceptionally(fault.get());
      return;
    }
    T answer = call.command().get();
    scheduler.tell(
        owner, () -> call.what().get() + " -> " + (lost ? "answer lost" : Words.answer(answer)));
    if (lost) {
      call.answer().completeExceptionally(fault.get());
    } else {
      call.answer().complete(answer);
    }
  }

  /** Its owner has died; some of what was on its way is carried out all the same. */
  void cut() {
    int arrive = scheduler.from(0, sent.size());
    while (sent.size() > arrive) {
      sent.removeLast();
    }
    late();
  }

  private void late() {
    if (!sent.isEmpty()) {
      scheduler.soon(
          network,
          () -> {
            Call<?> call = sent.remove();
            Object answer = call.command().get();
            scheduler.tell(
                owner,
                () -> call.what().get() + " -> " + Words.answer(answer) + ", to a dead process");
            late();
          });
    }
  }
}
