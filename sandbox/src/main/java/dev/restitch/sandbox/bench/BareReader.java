package dev.restitch.sandbox.bench;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The replay's peer: parses every line of a history and does nothing with it. */
public final class BareReader {

  private BareReader() {}

  /** Takes the history's path; prints how many lines and JSON tokens there are. */
  public static void main(String[] args) throws IOException {
    JsonFactory json = new JsonFactory();
    long lines = 0;
    long tokens = 0;
    try (BufferedReader reader = Files.newBufferedReader(Path.of(args[0]))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        lines++;
        try (JsonParser parser = json.createParser(line)) {
          while (parser.nextToken() != null) {
            tokens++;
          }
        }
      }
    }
    System.out.println(lines + " lines, " + tokens + " tokens");
  }
}
