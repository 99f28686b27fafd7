package dev.restitch.sandbox.guard;

import io.lettuce.core.RedisException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * An application that commits every change to its database and then writes both sides, and dies
 * half-way again and again: each instance is torn once, and of some a whole newer write follows
 * while the repair may be under way. Runs on a thread of its own.
 */
final class TornLoad {

  private static final long PATIENCE_MILLIS = 60_000;

  private final RepairWorld world;
  private final Random random;
  private final long pauseNanos;
  private final List<String> names = new ArrayList<>();
  private final Map<String, Long> highest = new ConcurrentHashMap<>();
  private final Map<Long, List<String>> later = new LinkedHashMap<>();
  private final Thread thread = new Thread(this::run, "torn-load");
  private volatile boolean stopped;
  private volatile Exception failure;
  private int torn;

  /** A load that has not begun; {@code most} instances at most are torn, so many a second. */
  TornLoad(RepairWorld world, int most, int rate, long seed) {
    this.world = world;
    this.random = new Random(seed);
    this.pauseNanos = TimeUnit.SECONDS.toNanos(1) / rate;
    for (int i = 0; i < most; i++) {
      names.add((i % 2 == 0 ? "user:" : "conf:") + i);
    }
  }

  /** Makes the database, and writes every instance whole. */
  void prepare() throws SQLException {
    try (Connection connection = world.postgres.dataSource().getConnection()) {
      connection.createStatement().execute("create table truth (id text primary key, body text)");
    }
    for (String name : names) {
      whole(name);
    }
  }

  void start() {
    thread.setDaemon(true);
    thread.start();
  }

  /** Ends it; returns when the last write is done, the newer ones that are still to come too. */
  void stop() throws Exception {
    stopped = true;
    thread.join();
    if (failure != null) {
      throw failure;
    }
  }

  int torn() {
    return torn;
  }

  private void run() {
    try {
      for (String name : names) {
        if (stopped) {
          break;
        }
        tear(name);
        if (random.nextInt(5) == 0) {
          later
              .computeIfAbsent(
                  System.currentTimeMillis() + random.nextInt(2_500), k -> new ArrayList<>())
              .add(name);
        }
        writeLater(System.currentTimeMillis());
        LockSupport.parkNanos(pauseNanos);
      }
      writeLater(Long.MAX_VALUE);
    } catch (SQLException | RuntimeException e) {
      failure = e;
    }
  }

  private void writeLater(long now) throws SQLException {
    for (Long due : List.copyOf(later.keySet())) {
      if (due <= now) {
        for (String name : later.remove(due)) {
          whole(name);
        }
      }
    }
  }

  private void tear(String name) throws SQLException {
    String value = mint(name);
    if (random.nextBoolean()) {
      write(name, value, true);
    } else {
      write(name, value, false);
    }
    torn++;
  }

  private void whole(String name) throws SQLException {
    String value = mint(name);
    write(name, value, true);
    write(name, value, false);
  }

  /** Commits the new truth; what is to be written is stamped by the counter. */
  private String mint(String name) throws SQLException {
    long version = patiently(() -> world.east.incr(name + ":version"));
    String body = "body-" + version + "-" + ThreadLocalRandom.current().nextInt(1_000_000);
    try (Connection connection = world.postgres.dataSource().getConnection();
        PreparedStatement put =
            connection.prepareStatement(
                "insert into truth values (?, ?)"
                    + " on conflict (id) do update set body = excluded.body")) {
      put.setString(1, id(name));
      put.setString(2, body);
      put.executeUpdate();
    }
    highest.merge(name, version, Math::max);
    return version + ":" + Long.toHexString(random.nextLong()) + ":" + body;
  }

  private void write(String name, String value, boolean first) {
    if (first) {
      patiently(() -> world.east.set(first(name), value));
    } else {
      patiently(() -> world.main.set(second(name), value));
    }
  }

  private interface Command<T> {
    T send();
  }

  /** Writes again while a server is away. */
  private static <T> T patiently(Command<T> command) {
    long deadline = System.currentTimeMillis() + PATIENCE_MILLIS;
    while (true) {
      try {
        return command.send();
      } catch (RedisException e) {
        if (System.currentTimeMillis() > deadline) {
          throw e;
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
      }
    }
  }

  private static String id(String name) {
    return name.substring(name.indexOf(':') + 1);
  }

  private static String first(String name) {
    return name + (name.startsWith("user") ? ":profile" : ":here");
  }

  private static String second(String name) {
    return name + (name.startsWith("user") ? ":settings" : ":there");
  }

  /** Instances that are not as they must be: whole, true, and no older than what was written. */
  List<String> wrong() throws SQLException {
    List<String> wrong = new ArrayList<>();
    try (Connection connection = world.postgres.dataSource().getConnection();
        PreparedStatement get =
            connection.prepareStatement("select body from truth where id = ?")) {
      for (String name : names) {
        get.setString(1, id(name));
        String truth;
        try (var rows = get.executeQuery()) {
          rows.next();
          truth = rows.getString(1);
        }
        String one = world.east.get(first(name));
        String two = patiently(() -> world.main.get(second(name)));
        boolean right =
            one != null
                && one.equals(two)
                && one.endsWith(":" + truth)
                && Long.parseLong(one.substring(0, one.indexOf(':'))) >= highest.get(name);
        if (!right) {
          wrong.add(name + " " + one + " | " + two + " | truth " + truth);
        }
      }
    }
    return wrong;
  }
}
