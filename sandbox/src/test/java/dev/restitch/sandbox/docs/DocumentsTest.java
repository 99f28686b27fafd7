package dev.restitch.sandbox.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.restitch.cli.RestitchMain;
import dev.restitch.config.ConfigLoader;
import dev.restitch.sandbox.SandboxMain;
import dev.restitch.sandbox.docs.Document.Block;
import dev.restitch.worker.RepairWorkerMain;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** What the README and the documents show can be typed: commands, configuration, links. */
class DocumentsTest {

  private static final Pattern COMMAND = Pattern.compile("(?:\\./)?restitch ([^#]*)(?:#.*)?");
  private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|'([^']*)'|(\\S+)");
  private static final Pattern LINK = Pattern.compile("]\\(([^)#:\\s]+)(#[^)]*)?\\)");
  private static final Set<String> SANDBOX = Set.of("demo", "bench", "chaos");

  static List<Document> documents() {
    return Document.all();
  }

  @ParameterizedTest
  @MethodSource("documents")
  void shouldShowConfigurationThatIsValid(Document document) {
    for (Block block : document.blocks("yaml")) {
      assertThatCode(
              () -> ConfigLoader.parse(block.text(), Map.of("USERS_DB_PASSWORD", "not-a-secret")))
          .as("%s, below %s:%n%s", document, block.heading(), block.text())
          .doesNotThrowAnyException();
    }
  }

  @ParameterizedTest
  @MethodSource("documents")
  void shouldShowCommandsThatExist(Document document) {
    for (String line : shellLines(document)) {
      Matcher command = COMMAND.matcher(line);
      if (!command.matches()) {
        continue;
      }
      String[] words = words(command.group(1));
      assertThatCode(() -> commandLine(words).parseArgs(arguments(words)))
          .as("%s: %s", document, line)
          .doesNotThrowAnyException();
    }
  }

  @ParameterizedTest
  @MethodSource("documents")
  void shouldLinkToPagesAndHeadingsThatExist(Document document) {
    Matcher link = LINK.matcher(String.join("\n", document.lines()));
    while (link.find()) {
      assertThat(Files.exists(document.path().resolveSibling(link.group(1))))
          .as("%s links to %s", document, link.group(1))
          .isTrue();
    }
    Set<String> anchors = anchors(document);
    Matcher inside =
        Pattern.compile("]\\(#([^)]*)\\)").matcher(String.join("\n", document.lines()));
    while (inside.find()) {
      assertThat(anchors).as("headings of %s", document).contains(inside.group(1));
    }
  }

  private static Set<String> anchors(Document document) {
    return document.lines().stream()
        .filter(line -> line.startsWith("#"))
        .map(line -> line.replaceFirst("#+ *", "").toLowerCase(Locale.ROOT))
        .map(heading -> heading.replaceAll("[^a-z0-9 _-]", "").replace(' ', '-'))
        .collect(Collectors.toSet());
  }

  private static List<String> shellLines(Document document) {
    return Stream.concat(document.blocks("sh").stream(), document.blocks("console").stream())
        .flatMap(block -> block.lines().stream())
        .map(line -> line.replaceFirst("^\\$ ", "").strip())
        .toList();
  }

  private static String[] words(String line) {
    List<String> words = new ArrayList<>();
    Matcher word = WORD.matcher(line);
    while (word.find()) {
      words.add(
          Stream.of(word.group(1), word.group(2), word.group(3))
              .filter(part -> part != null)
              .findFirst()
              .orElseThrow());
    }
    return words.toArray(String[]::new);
  }

  private static CommandLine commandLine(String[] words) {
    if (SANDBOX.contains(words[0])) {
      return SandboxMain.commandLine();
    }
    return words[0].equals("repair-worker")
        ? new CommandLine(new RepairWorkerMain())
        : RestitchMain.commandLine();
  }

  private static String[] arguments(String[] words) {
    return words[0].equals("repair-worker") ? Arrays.copyOfRange(words, 1, words.length) : words;
  }
}
