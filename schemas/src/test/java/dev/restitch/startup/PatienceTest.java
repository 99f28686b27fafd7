package dev.restitch.startup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.restitch.config.ConfigException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class PatienceTest {

  private final Logger logger = (Logger) LoggerFactory.getLogger(Patience.class);
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

  @BeforeEach
  void listen() {
    lines.start();
    logger.addAppender(lines);
    logger.setAdditive(false);
  }

  @AfterEach
  void hush() {
    logger.detachAppender(lines);
    logger.setAdditive(true);
  }

  @Test
  void shouldReturnWhatTheAttemptReturnsAfterFailuresWithOneLineEach() {
    AtomicInteger attempts = new AtomicInteger();

    String answer =
        Patience.await(
            "Kafka",
            "localhost:9092",
            "that it runs",
            Duration.ofSeconds(30),
            () -> {
              if (attempts.incrementAndGet() < 3) {
                throw new ExecutionException(new IOException("refused\nby peer"));
              }
              return "there";
            });

    assertThat(answer).isEqualTo("there");
    assertThat(lines.list).hasSize(2).allMatch(line -> line.getThrowableProxy() == null);
    assertThat(lines.list.get(0).getKeyValuePairs().toString())
        .contains("what=\"Kafka\"")
        .contains("address=\"localhost:9092\"")
        .contains("check=\"that it runs\"")
        .contains("error=\"refused by peer\"");
  }

  @Test
  void shouldGiveUpAfterThePatienceWithEverythingInOneLine() {
    long start = System.nanoTime();

    assertThatThrownBy(
            () ->
                Patience.await(
                    "the store east",
                    "localhost:7001",
                    "stores.east.uri",
                    Duration.ofMillis(600),
                    () -> {
                      throw new IOException("connection refused");
                    }))
        .isInstanceOf(UnreachableException.class)
        .hasMessageStartingWith("the store east at localhost:7001 was not reachable within 0.6s (")
        .hasMessageEndingWith("connection refused. Check stores.east.uri.")
        .hasMessageNotContaining("\n");
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(590));
  }

  @Test
  void shouldTryOnceWithoutPatience() {
    AtomicInteger attempts = new AtomicInteger();
    assertThatThrownBy(
            () ->
                Peers.await(
                    "x",
                    "y",
                    "z",
                    Duration.ZERO,
                    () -> {
                      attempts.incrementAndGet();
                      throw new IOException();
                    }))
        .isInstanceOf(UnreachableException.class)
        .hasMessageContaining("(1 attempts): IOException");
    assertThat(attempts).hasValue(1);
  }

  @Test
  void shouldNotWaitForWhatWaitingDoesNotMend() {
    RuntimeException permanent = new ConfigException("kafka.acks", "must be all");

    assertThatThrownBy(
            () ->
                Patience.await(
                    "x",
                    "y",
                    "z",
                    Duration.ofHours(1),
                    () -> {
                      throw permanent;
                    }))
        .isSameAs(permanent);
    assertThat(lines.list).isEmpty();
  }

  @Test
  void shouldStopWhenInterrupted() {
    Thread.currentThread().interrupt();

    assertThatThrownBy(
            () ->
                Patience.await(
                    "x",
                    "y",
                    "z",
                    Duration.ofHours(1),
                    () -> {
                      throw new IOException("no");
                    }))
        .isInstanceOf(UnreachableException.class)
        .hasMessageContaining("interrupted");
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void shouldWaitForAPort() throws IOException {
    try (ServerSocket open = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Peers.awaitPort("x", "127.0.0.1", open.getLocalPort(), "z", Duration.ofSeconds(5));
    }
    assertThat(lines.list).isEqualTo(List.of());
  }
}
