package dev.restitch.cli;

import picocli.CommandLine.Option;

/** The option {@code -o table|json}, for every command that lists something. */
final class OutputOption {

  /** The forms of output. */
  enum Form {
    table,
    json
  }

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORM",
      defaultValue = "table",
      description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private Form form;

  boolean json() {
    return form == Form.json;
  }
}
