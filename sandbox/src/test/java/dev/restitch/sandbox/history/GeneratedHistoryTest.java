package dev.restitch.sandbox.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.restitch.config.ConfigLoader;
import dev.restitch.judge.Consistency;
import dev.restitch.model.Verdict;
import dev.restitch.replay.Replay;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GeneratedHistoryTest {

  private static final int TRANSACTIONS = 5_000;

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void shouldDeclareExactlyTheKnownTears(long seed) throws IOException {
    Path history = folder.resolve("history.jsonl");
    HistoryGenerator.Written written =
        new HistoryGenerator(seed, TRANSACTIONS, 1_000, 0.02).write(history, n -> {});
    Replay replay = new Replay(ConfigLoader.parse(HistoryGenerator.RELATIONS, Map.of()));

    List<Replay.Found> found = replay.run(history, null, bytes -> {});

    Answers answers = new Answers(written.tears());
    for (Replay.Found f : found) {
      answers.declared(
          f.instance(), f.incident().verdict.name(), f.incident().stamp.token().toString());
    }
    assertThat(answers.toString()).isEqualTo("missed 0, false 0, wrong 0");
    assertThat(written.tears()).hasSizeGreaterThan(50);
    assertThat(kinds(written.tears())).hasSizeGreaterThanOrEqualTo(11);
    assertThat(replay.totals().consistency().values().stream().mapToLong(Consistency::sample).sum())
        .isGreaterThanOrEqualTo(TRANSACTIONS);
  }

  private static Set<Verdict> kinds(List<KnownTear> tears) {
    return tears.stream().map(KnownTear::verdict).collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void shouldWriteTheSameBytesForTheSameSeed() throws IOException {
    Path first = folder.resolve("first.jsonl");
    Path second = folder.resolve("second.jsonl");

    new HistoryGenerator(7, 2_000, 1_000, 0.01).write(first, n -> {});
    new HistoryGenerator(7, 2_000, 1_000, 0.01).write(second, n -> {});

    assertThat(Files.mismatch(first, second)).isEqualTo(-1);
  }
}
