package dev.restitch.worker.truth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.restitch.config.PayloadsConfig;
import dev.restitch.model.Bytes;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PayloadRefsTest {

  private static final int LIMIT = 8;

  @TempDir private Path folder;
  private final AtomicInteger elsewhere = new AtomicInteger();
  private final CountDownLatch over = new CountDownLatch(1);
  private final MockConsumer<String, byte[]> consumer = new MockConsumer<>("earliest");
  private HttpServer server;
  private KafkaRecords records;
  private PayloadRefs refs;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/p/", exchange -> answer(exchange, 200, "payload"));
    server.createContext("/p/large", exchange -> answer(exchange, 200, "123456789"));
    server.createContext("/p/gone", exchange -> answer(exchange, 404, "no"));
    server.createContext("/p/broken", exchange -> answer(exchange, 503, "no"));
    server.createContext(
        "/p/moved",
        exchange -> {
          exchange.getResponseHeaders().add("Location", "/secret");
          answer(exchange, 302, "");
        });
    server.createContext(
        "/secret",
        exchange -> {
          elsewhere.incrementAndGet();
          answer(exchange, 200, "secret");
        });
    server.createContext(
        "/p/silent",
        exchange -> {
          try {
            over.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          exchange.close();
        });
    server.setExecutor(task -> new Thread(task).start());
    server.start();
    records = new KafkaRecords(() -> consumer);
    refs =
        new PayloadRefs(
            new PayloadsConfig(
                List.of("payloads"),
                List.of(folder.resolve("in")),
                List.of(URI.create(base() + "/p/")),
                LIMIT,
                Duration.ofMillis(500)),
            records);
  }

  private static void answer(com.sun.net.httpserver.HttpExchange exchange, int status, String body)
      throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  @AfterEach
  void stop() {
    over.countDown();
    refs.close();
    records.close();
    server.stop(0);
  }

  @Test
  void shouldFetchWhatIsListed() throws IOException {
    Files.createDirectory(folder.resolve("in"));
    Files.writeString(folder.resolve("in").resolve("1"), "12345678");

    assertThat(fetch(base() + "/p/1?v=2")).isEqualTo("payload");
    assertThat(fetch(folder.resolve("in").resolve("1").toUri().toString())).isEqualTo("12345678");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/secret",
        "/p/../secret",
        "/p/%2e%2e/secret",
        "/p/..%2fsecret",
        "/p/%252e%252e/secret",
        "/p//secret",
        "/p/",
        "/p",
        "/p/x#y"
      })
  void shouldNotBeLedOutOfWhatIsListed(String path) {
    failsForGood(base() + path, "begins with none that payloads.http lists");
    assertThat(elsewhere).hasValue(0);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://127.0.0.1:%d/p/x",
        "http://localhost:%d/p/x",
        "http://127.0.0.1:1/p/x",
        "http://127.0.0.1/p/x",
        "http://me@127.0.0.1:%d/p/x",
        "http://[::1]:%d/p/x",
        "http://2130706433:%d/p/x",
        "http:/p/x"
      })
  void shouldNotAskAnotherHost(String reference) {
    failsForGood(
        reference.replace("%d", Integer.toString(server.getAddress().getPort())),
        "begins with none that payloads.http lists");
  }

  @ParameterizedTest
  @CsvSource({
    "/p/large,larger than payloads.limit",
    "/p/gone,answered with status 404",
    "/p/moved,answered with status 302",
  })
  void shouldNotAskAgainWhatIsNotToBeHad(String path, String why) {
    failsForGood(base() + path, why);
    assertThat(elsewhere).hasValue(0);
  }

  @Test
  void shouldAskAgainWhatMayComeBack() {
    assertThatThrownBy(() -> fetch(base() + "/p/broken"))
        .hasCauseInstanceOf(TruthUnavailableException.class)
        .hasMessageContaining("status 503");
    assertThatThrownBy(() -> fetch(base() + "/p/silent"))
        .hasCauseInstanceOf(TruthUnavailableException.class);
  }

  @Test
  void shouldReadNoFileThatReallyLiesElsewhere() throws IOException {
    Path in = Files.createDirectory(folder.resolve("in"));
    Path secret = Files.writeString(folder.resolve("secret"), "secret");
    Files.createSymbolicLink(in.resolve("link"), secret);
    Files.createSymbolicLink(in.resolve("out"), folder);
    Files.writeString(in.resolve("large"), "123456789");

    String none = "lies in no folder that payloads.files lists";
    failsForGood(secret.toUri().toString(), none);
    failsForGood(in.resolve("link").toUri().toString(), none);
    failsForGood(in.toUri() + "out/secret", none);
    failsForGood(in.toUri() + "../secret", none);
    failsForGood(in.toUri().toString(), none);
    failsForGood(in.resolve("large").toUri().toString(), "larger than payloads.limit");
    failsForGood(in.resolve("gone").toUri().toString(), "is not there");
    failsForGood("file://host/etc/passwd", "file:///FOLDER/NAME");
  }

  @Test
  void shouldFetchTheValueOfAnotherRecord() {
    TopicPartition place = new TopicPartition("payloads", 0);
    consumer.schedulePollTask(
        () -> {
          consumer.updateBeginningOffsets(Map.of(place, 0L));
          consumer.addRecord(
              new ConsumerRecord<>(
                  "payloads", 0, 7, "k", "payload".getBytes(StandardCharsets.UTF_8)));
        });

    assertThat(fetch("kafka:payloads/0/7")).isEqualTo("payload");
  }

  @ParameterizedTest
  @CsvSource({
    "kafka:others/0/7,topic others is not listed in payloads.kafka",
    "kafka:payloads/0,reads kafka:TOPIC/PARTITION/OFFSET",
    "kafka:payloads/-1/0,reads kafka:TOPIC/PARTITION/OFFSET",
    "jar:file:/x!/y,'are fetched by kafka:, file:, http: and https:'",
    "ftp://127.0.0.1/x,'are fetched by kafka:, file:, http: and https:'",
    "payload,'are fetched by kafka:, file:, http: and https:'",
    "http://h/ x,is no URI",
  })
  void shouldRefuseAnyOtherReference(String reference, String why) {
    failsForGood(reference, why);
  }

  private void failsForGood(String reference, String why) {
    assertThatThrownBy(() -> fetch(reference))
        .hasCauseInstanceOf(TruthException.class)
        .hasMessageContaining(why);
  }

  private String fetch(String reference) {
    Bytes payload =
        refs.fetch(reference).toCompletableFuture().orTimeout(10, TimeUnit.SECONDS).join();
    return payload.toString();
  }

  private String base() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }
}
