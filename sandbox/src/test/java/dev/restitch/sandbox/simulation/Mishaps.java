package dev.restitch.sandbox.simulation;

import java.util.ArrayList;
import java.util.List;

/** Starts the workers, and lets happen to processes what happens to processes. */
final class Mishaps {

  private final World world;
  private final Scheduler scheduler;
  private final List<Worker> workers = new ArrayList<>();
  private int started;

  Mishaps(World world) {
    this.world = world;
    this.scheduler = world.scheduler;
  }

  void plan() {
    for (int i = 0; i < world.plan.workers(); i++) {
      start();
    }
    for (int partition = 0; partition < world.group.partitions(); partition++) {
      world.group.give(partition, any());
    }
    for (int i = 0; i < world.plan.mishaps(); i++) {
      scheduler.at(scheduler.now() + scheduler.from(0, 1500), world.network, this::mishap);
    }
  }

  private Worker start() {
    Worker worker = new Worker("worker" + ++started, world);
    workers.add(worker);
    return worker;
  }

  private Worker any() {
    return workers.get(scheduler.random.nextInt(workers.size()));
  }

  private void mishap() {
    world.active();
    int kind = scheduler.random.nextInt(10);
    switch (kind) {
      case 0, 1, 2 -> soonAfterWork(this::kill);
      case 3, 4 -> soonAfterWork(this::standStill);
      case 5 -> soonAfterWork(this::move);
      case 6 -> {
        Judging judging = world.judgings.get(scheduler.random.nextInt(world.judgings.size()));
        judging.restart(scheduler.now() + scheduler.from(0, 1000));
        scheduler.tell(judging.actor, () -> "is killed, and starts again");
      }
      case 7 -> world.prober.restart();
      case 8 -> {
        if (scheduler.chance(0.5)) {
          soonAfterWork(this::failOver);
        } else {
          failOver();
        }
      }
      default -> {
        List<String> stores = List.copyOf(world.stores.keySet());
        world.watcher.blind(
            stores.get(scheduler.random.nextInt(stores.size())),
            scheduler.now() + scheduler.from(10, 600));
      }
    }
  }

  /** A replica takes over that lacks the last writes; what it has it tells to nobody. */
  private void failOver() {
    if (!world.plan.failover()) {
      return;
    }
    Store store = List.copyOf(world.stores.values()).get(scheduler.random.nextInt(2));
    int lost = scheduler.from(0, 4);
    scheduler.tell(store.name, () -> "fails over, and up to " + lost + " changes are lost");
    store.failOver(lost);
    world.failedOver = true;
    world.watcher.blind(store.name, scheduler.now() + scheduler.from(1, 300));
  }

  /** Waits until so many commands of workers have been carried out. */
  private void soonAfterWork(Runnable mishap) {
    world.afterWork(scheduler.from(1, 24), mishap);
  }

  private void kill() {
    if (workers.isEmpty()) {
      return;
    }
    Worker victim = any();
    workers.remove(victim);
    victim.kill();
    world.active();
    scheduler.at(
        scheduler.now() + downTime(),
        world.network,
        () -> {
          world.active();
          Worker next = workers.isEmpty() || scheduler.chance(0.5) ? start() : any();
          for (int p = 0; p < world.group.partitions(); p++) {
            if (world.group.owner(p) == victim) {
              world.group.give(p, next);
            }
          }
        });
  }

  /** Mostly shorter than a command's time, now and then longer. */
  private int downTime() {
    return scheduler.chance(0.8) ? scheduler.from(0, 900) : scheduler.from(2000, 5000);
  }

  /**
   * The group takes its partitions away while it stands still; it hears of that when it goes on.
   */
  private void standStill() {
    if (workers.isEmpty()) {
      return;
    }
    Worker victim = any();
    int pause = scheduler.from(20, 4000);
    scheduler.tell(victim, () -> "stands still for " + pause + " ms");
    victim.pausedUntil = scheduler.now() + pause;
    scheduler.at(
        scheduler.now() + scheduler.from(0, pause),
        world.network,
        () -> {
          world.active();
          Worker next = workers.size() == 1 ? start() : other(victim);
          for (int p = 0; p < world.group.partitions(); p++) {
            int partition = p;
            if (world.group.owner(p) == victim && next != victim) {
              world.group.give(p, next);
              scheduler.soon(victim, () -> victim.revoked(partition));
            }
          }
        });
  }

  private Worker other(Worker than) {
    return workers.stream().filter(w -> w != than).findFirst().orElse(than);
  }

  private void move() {
    int partition = scheduler.random.nextInt(world.group.partitions());
    Worker from = world.group.owner(partition);
    Worker to = start();
    if (from != null) {
      from.givesBack(partition);
    }
    world.group.give(partition, to);
    world.active();
  }
}
