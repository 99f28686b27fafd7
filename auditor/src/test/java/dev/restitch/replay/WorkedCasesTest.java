package dev.restitch.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.restitch.cli.RestitchMain;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

class WorkedCasesTest {

  private static final Path CASES = Path.of("src/test/resources/cases");

  static Stream<String> names() throws IOException {
    try (Stream<Path> files = Files.list(CASES)) {
      return files
          .map(p -> p.getFileName().toString())
          .filter(n -> n.endsWith(".history.jsonl"))
          .map(n -> n.replace(".history.jsonl", ""))
          .sorted()
          .toList()
          .stream();
    }
  }

  @ParameterizedTest
  @MethodSource("names")
  void shouldPrintWhatTheCaseExpects(String name) throws IOException {
    StringWriter out = new StringWriter();
    CommandLine restitch = RestitchMain.commandLine().setOut(new PrintWriter(out));
    restitch.setErr(new PrintWriter(new StringWriter()));

    int exitCode =
        restitch.execute(
            "replay",
            "--history",
            CASES.resolve(name + ".history.jsonl").toString(),
            "--config",
            CASES.resolve("relations.yaml").toString(),
            "-o",
            "json");

    String expected = Files.readString(CASES.resolve(name + ".expected.jsonl"));
    assertThat(out.toString()).isEqualTo(expected);
    assertThat(exitCode).isEqualTo(expected.isEmpty() ? 0 : 3);
  }
}
