package dev.restitch.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** What a person is told when the auditor does not answer, or knows no such thing. */
class DeadAuditorTest {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    CommandLine line = RestitchMain.commandLine();
    line.setOut(new PrintWriter(out, true));
    line.setErr(new PrintWriter(err, true));
    return line.execute(arguments);
  }

  @Test
  void shouldSayWhatToCheckWhereNoAuditorAnswers() {
    assertThat(run("status", "--url", "http://127.0.0.1:1")).isEqualTo(1);
    assertThat(err.toString())
        .contains("no auditor answers at http://127.0.0.1:1; is it running, and is --url");
  }

  @Test
  void shouldTellWhatTheAuditorSaysOfAnUnknownIncident() throws IOException {
    HttpServer server = answering(404, "{\"detail\":\"there is no incident 'abc'\"}");
    assertThat(run("incidents", "show", "abc", "--url", url(server))).isEqualTo(1);
    server.stop(0);
    assertThat(err.toString()).contains("error: there is no incident 'abc'");
  }

  @Test
  void shouldPrintTheStatusAgainAndAgainUntilTheAuditorIsGone() throws IOException {
    AtomicInteger asked = new AtomicInteger();
    HttpServer server = HttpServer.create(loopback(), 0);
    server.createContext(
        "/",
        exchange -> {
          boolean more = asked.incrementAndGet() < 3;
          byte[] body =
              (more ? "{\"state\":\"Consistent\"}" : "{\"detail\":\"stopping\"}")
                  .getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(more ? 200 : 503, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    assertThat(run("status", "--watch", "--every", "10ms", "--url", url(server))).isEqualTo(1);
    server.stop(0);
    assertThat(out.toString().lines()).hasSize(2).allMatch(l -> l.startsWith("Consistent: "));
    assertThat(err.toString()).contains("error: stopping");
  }

  private static InetSocketAddress loopback() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  private static String url(HttpServer server) {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  private static HttpServer answering(int status, String text) throws IOException {
    HttpServer server = HttpServer.create(loopback(), 0);
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    server.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(status, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    return server;
  }
}
