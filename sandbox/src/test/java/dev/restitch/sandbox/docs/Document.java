package dev.restitch.sandbox.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A page for people, as far as tests can run what it shows. */
record Document(Path path, List<String> lines) {

  private static final Path HOME = Path.of("..").toAbsolutePath().normalize();

  /** A fenced block: what stands behind the fence, under which heading, and what is in it. */
  record Block(String language, String heading, List<String> lines) {

    String text() {
      return String.join("\n", lines) + "\n";
    }
  }

  static Document of(String name) {
    Path path = HOME.resolve(name);
    try {
      return new Document(path, Files.readAllLines(path));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The README and all pages of {@code docs/}. */
  static List<Document> all() {
    try (Stream<Path> pages = Files.list(HOME.resolve("docs"))) {
      return Stream.concat(Stream.of(HOME.resolve("README.md")), pages)
          .filter(page -> page.toString().endsWith(".md"))
          .map(page -> of(HOME.relativize(page).toString()))
          .sorted((a, b) -> a.path().compareTo(b.path()))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  List<Block> blocks(String language) {
    List<Block> blocks = new ArrayList<>();
    String heading = "";
    Block open = null;
    for (String line : lines) {
      if (line.startsWith("```")) {
        if (open != null) {
          blocks.add(open);
        }
        open =
            open == null ? new Block(line.substring(3).strip(), heading, new ArrayList<>()) : null;
      } else if (open != null) {
        open.lines().add(line);
      } else if (line.startsWith("#")) {
        heading = line.replaceFirst("#+ *", "");
      }
    }
    return blocks.stream().filter(block -> block.language().equals(language)).toList();
  }

  @Override
  public String toString() {
    return HOME.relativize(path).toString();
  }
}
