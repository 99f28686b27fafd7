package dev.restitch.sandbox.simulation;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Chooses at every step, by chance from a seed, which of all the things that may happen next does.
 * Time is its own, and goes on between steps, and where nothing can happen yet. One thread.
 */
final class Scheduler {

  static final long START = 1_000_000_000_000L;

  private record Task(long at, Actor actor, Runnable work) {}

  final SplittableRandom random;
  final Story story;
  private final List<Task> tasks = new ArrayList<>();
  private int[] ready = new int[64];
  private long now = START;
  private long steps;

  Scheduler(long seed, Story story) {
    this.random = new SplittableRandom(seed);
    this.story = story;
  }

  long now() {
    return now;
  }

  long steps() {
    return steps;
  }

  void pass(long millis) {
    now += millis;
  }

  void tell(Object who, Supplier<String> what) {
    story.tell(steps, now, who, what);
  }

  /** True with this probability. */
  boolean chance(double probability) {
    return random.nextDouble() < probability;
  }

  /** A number from one to another, both included. */
  int from(int least, int most) {
    return least + random.nextInt(most - least + 1);
  }

  void at(long time, Actor actor, Runnable work) {
    tasks.add(new Task(time, actor, work));
  }

  /** After as long as it takes on a network: mostly next to nothing, now and then very long. */
  void soon(Actor actor, Runnable work) {
    at(now + latency(), actor, work);
  }

  /** The same, but never longer than so many milliseconds. */
  void soonWithin(long most, Actor actor, Runnable work) {
    at(now + Math.min(most, latency()), actor, work);
  }

  private long latency() {
    int kind = random.nextInt(100);
    if (kind < 65) {
      return 0;
    }
    if (kind < 90) {
      return random.nextInt(10);
    }
    return kind < 98 ? random.nextInt(80) : random.nextInt(500);
  }

  /** An executor that runs tasks for an actor after a delay. */
  Executor after(Actor actor, Duration delay) {
    return work -> at(now + Math.max(1, delay.toMillis()), actor, work);
  }

  /** Takes one step; false if nothing is left to happen. */
  boolean step() {
    tasks.removeIf(task -> task.actor().dead);
    if (tasks.isEmpty()) {
      return false;
    }
    if (chance(0.1)) {
      now += from(1, 5);
    }
    int count = readyTasks();
    if (count == 0) {
      now = tasks.stream().mapToLong(Scheduler::earliest).min().orElseThrow();
      count = readyTasks();
    }
    int chosen = ready[random.nextInt(count)];
    Task task = tasks.get(chosen);
    int last = tasks.size() - 1;
    tasks.set(chosen, tasks.get(last));
    tasks.remove(last);
    steps++;
    task.work().run();
    return true;
  }

  private static long earliest(Task task) {
    return Math.max(task.at(), task.actor().pausedUntil);
  }

  private int readyTasks() {
    if (ready.length < tasks.size()) {
      ready = new int[tasks.size() * 2];
    }
    int count = 0;
    for (int i = 0; i < tasks.size(); i++) {
      if (earliest(tasks.get(i)) <= now) {
        ready[count++] = i;
      }
    }
    return count;
  }

  Clock clock() {
    return new Clock() {
      @Override
      public ZoneId getZone() {
        return ZoneOffset.UTC;
      }

      @Override
      public Clock withZone(ZoneId zone) {
        return this;
      }

      @Override
      public Instant instant() {
        return Instant.ofEpochMilli(now);
      }

      @Override
      public long millis() {
        return now;
      }
    };
  }
}
