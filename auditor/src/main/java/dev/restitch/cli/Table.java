package dev.restitch.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** Rows for people, in columns as wide as they need. */
final class Table {

  private final List<String[]> rows = new ArrayList<>();

  Table(String... header) {
    rows.add(header);
  }

  void row(Object... cells) {
    String[] row = new String[cells.length];
    for (int i = 0; i < cells.length; i++) {
      row[i] = String.valueOf(cells[i]);
    }
    rows.add(row);
  }

  void print(PrintWriter out) {
    int[] width = new int[rows.get(0).length];
    for (String[] row : rows) {
      for (int i = 0; i < row.length; i++) {
        width[i] = Math.max(width[i], row[i].length());
      }
    }
    for (String[] row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < row.length; i++) {
        line.append(row[i]).append(" ".repeat(width[i] - row[i].length() + 2));
      }
      out.println(line.toString().stripTrailing());
    }
  }
}
