package dev.restitch.worker.policy;

import com.dashjoin.jsonata.JException;
import com.dashjoin.jsonata.Jsonata;
import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.restitch.avro.Outcome;
import dev.restitch.config.Regeneration;
import dev.restitch.config.RelationConfig;
import dev.restitch.config.RepairPolicyConfig;
import dev.restitch.model.Bytes;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The declared JSONata mappings, compiled once. They run on threads of their own, for one second
 * and 200 calls deep at most. Numbers that a mapping only passes on stay as they are, digit by
 * digit; what it computes with is a double. Thread-safe; never blocks its caller.
 */
public final class Mappings implements AutoCloseable {

  private static final Duration LONGEST = Duration.ofSeconds(1);
  private static final int DEEPEST = 200;
  private static final int WAITING = 1000;
  private static final int THREADS = 2;

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private final Map<String, Jsonata> compiled = new HashMap<>();
  private final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(
          THREADS,
          THREADS,
          10,
          TimeUnit.SECONDS,
          new ArrayBlockingQueue<>(WAITING),
          task -> {
            Thread made = new Thread(task, "restitch-mappings");
            made.setDaemon(true);
            return made;
          });

  /** Compiles every mapping that the relations declare. */
  public Mappings(Collection<RelationConfig> relations) {
    threads.allowCoreThreadTimeOut(true);
    for (RelationConfig relation : relations) {
      for (RepairPolicyConfig policy : relation.repair()) {
        if (policy.regenerate() != null) {
          policy.regenerate().targets().values().forEach(this::compile);
        }
      }
    }
  }

  private void compile(Regeneration.From from) {
    if (from.mapping() != null) {
      compiled.computeIfAbsent(from.mapping(), Jsonata::jsonata);
    }
  }

  /**
   * Maps a payload, which must be JSON. A text that comes out is the payload itself, anything else
   * is written as JSON.
   *
   * @return fails with {@link RepairStopped} where the payload is no JSON, or the mapping fails or
   *     gives nothing; its words quote no payload
   */
  CompletionStage<Bytes> apply(String mapping, Bytes payload) {
    Jsonata expression = compiled.get(mapping);
    if (expression == null) {
      throw new IllegalArgumentException("the mapping is declared by no relation");
    }
    try {
      return CompletableFuture.supplyAsync(() -> run(expression, payload), threads);
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedStage(e);
    }
  }

  private static Bytes run(Jsonata expression, Bytes payload) {
    Object input;
    try {
      input = JSON.readValue(payload.toArray(), Object.class);
    } catch (IOException e) {
      throw new RepairStopped(Outcome.FAILED, "the payload that is to be mapped is not JSON");
    }
    Object made;
    try {
      Jsonata.Frame bounds = expression.createFrame();
      bounds.setRuntimeBounds(LONGEST.toMillis(), DEEPEST);
      made = expression.evaluate(input, bounds);
    } catch (JException e) {
      throw new RepairStopped(
          Outcome.FAILED,
          "the mapping failed: " + e.getError() + " at character " + Math.max(0, e.getLocation()));
    } catch (RuntimeException | StackOverflowError e) {
      throw new RepairStopped(
          Outcome.FAILED, "the mapping failed: " + e.getClass().getSimpleName());
    }
    if (made == null || made == Jsonata.NULL_VALUE) {
      throw new RepairStopped(Outcome.FAILED, "the mapping gives nothing");
    }
    return written(made);
  }

  private static Bytes written(Object made) {
    if (made instanceof String text) {
      return Bytes.utf8(text);
    }
    if (!json(made)) {
      throw new RepairStopped(Outcome.FAILED, "the mapping gives something that is not JSON");
    }
    try {
      return Bytes.copyOf(JSON.writeValueAsBytes(made));
    } catch (JacksonException e) {
      throw new RepairStopped(Outcome.FAILED, "the mapping gives something that is not JSON");
    }
  }

  /** False where a function came out, or a number that JSON does not have. */
  private static boolean json(Object value) {
    if (value instanceof Map<?, ?> map) {
      return map.values().stream().allMatch(Mappings::json);
    }
    if (value instanceof List<?> list) {
      return list.stream().allMatch(Mappings::json);
    }
    if (value instanceof Double number) {
      return Double.isFinite(number);
    }
    return value == null
        || value == Jsonata.NULL_VALUE
        || value instanceof String
        || value instanceof Number
        || value instanceof Boolean;
  }

  /** Lets what runs end. Idempotent. */
  @Override
  public void close() {
    threads.shutdown();
  }
}
