package dev.restitch.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.restitch.cli.RestitchMain;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The bytes that {@code restitch replay -o json} prints (ARCHITECTURE.md, "The history file"). */
class ReplayOutputTest {

  @TempDir private Path folder;
  private final StringWriter err = new StringWriter();
  private int code;

  @Test
  void shouldPrintOneObjectALineInTheOrderOfTimeAndInstance() throws IOException {
    String printed =
        replay(
            """
            1000 set user:2:profile 7:t1
            1000 set user:10:profile 7:t1
            1000 set acct:1:balance 7:t1
            500 set user:3:profile 7:t1
            1000 set doc:1:body t2
            20000 end
            """);

    assertThat(printed)
        .isEqualTo(
            """
            {"instance":"user/3","verdict":"TORN_MISSING","token":"t1","version":7,"behind":["user:3:settings"],"at":2500,"state":"OPEN","action":"report","basis":"observations"}
            {"instance":"doc/1","verdict":"TORN_MISSING","token":"t2","behind":["doc:1:index"],"at":3000,"state":"OPEN","action":"report","basis":"observations"}
            {"instance":"user/10","verdict":"TORN_MISSING","token":"t1","version":7,"behind":["user:10:settings"],"at":3000,"state":"OPEN","action":"report","basis":"observations"}
            {"instance":"user/2","verdict":"TORN_MISSING","token":"t1","version":7,"behind":["user:2:settings"],"at":3000,"state":"OPEN","action":"report","basis":"observations"}
            """);
    assertThat(code).isEqualTo(3);
  }

  @Test
  void shouldPrintTheWorkedExampleOfTheHistoryFile() throws IOException {
    // ARCHITECTURE.md's own lines: the snapshot shows the tear, an outcome comes without a command
    Path history = folder.resolve("example.jsonl");
    Files.writeString(
        history,
        """
        {"type":"intent","at":1000,"token":"t1","version":7,"writes":[{"key":"user:1:profile","op":"put"},{"key":"user:1:settings","op":"put"}]}
        {"type":"observation","at":1010,"key":"user:1:profile","event":"set","state":"stamped","version":7,"token":"t1"}
        {"type":"done","at":1600,"token":"t1","keys":{"user:1:profile":"ok","user:1:settings":"unknown"}}
        {"type":"snapshot","at":3100,"asked":3010,"seq":4,"source":"probe","instance":"user/1","stable":true,"sides":[{"key":"user:1:profile","state":"stamped","version":7,"token":"t1"},{"key":"user:1:settings","state":"stamped","version":6,"token":"t0"}]}
        {"type":"gap","at":3200,"store":"east","node":"localhost:7001","from":2900,"to":3200,"why":"disconnect"}
        {"type":"end","at":60000}
        """);

    assertThat(run(history))
        .isEqualTo(
            """
            {"instance":"user/1","verdict":"TORN_MISSING","token":"t1","version":7,"behind":["user:1:settings"],"at":3100,"state":"OPEN","action":"report"}
            """);
  }

  @Test
  void shouldPrintEachIncidentOnceInItsLastState() throws IOException {
    // missing, then deleted, then whole: one incident, with its last verdict and the first time
    assertThat(
            replay(
                """
                1000 set user:1:profile 7:t1
                9000 del user:1:profile absent
                70000 set user:1:profile 7:t1
                70000 set user:1:settings 7:t1
                80000 set user:1:settings 6:t0
                90000 end
                """))
        .isEqualTo(
            """
            {"instance":"user/1","verdict":"TORN_MISSING","token":"t1","version":7,"behind":["user:1:settings"],"at":3000,"state":"HEALED","action":"report","basis":"observations"}
            {"instance":"user/1","verdict":"TORN_OVERWRITTEN","token":"t1","version":7,"behind":["user:1:settings"],"at":82000,"state":"OPEN","action":"report","basis":"observations"}
            """);
  }

  @Test
  void shouldPrintBytesOutsideUtf8AsBase64() throws IOException {
    Path history = folder.resolve("bytes.jsonl");
    Files.writeString(
        history,
        """
        {"type":"observation","at":1000,"key64":"dXNlcjr/OnByb2ZpbGU=","event":"set","state":"stamped","version":7,"token64":"/wA="}
        {"type":"end","at":9000}
        """);

    assertThat(run(history))
        .isEqualTo(
            """
            {"instance":"user/%FF","verdict":"TORN_MISSING","token64":"/wA=","version":7,"behind":["user:\\\\xff:settings"],"behind64":["dXNlcjr/OnNldHRpbmdz"],"at":3000,"state":"OPEN","action":"report","basis":"observations"}
            """);
  }

  @Test
  void shouldPrintKeysThatAreTextAsTheyAre() throws IOException {
    Path history = folder.resolve("text.jsonl");
    Files.writeString(
        history,
        """
        {"type":"observation","at":1000,"key":"user:a\\tü\\"/%:profile","event":"set","state":"stamped","version":7,"token":"t\\n1"}
        {"type":"end","at":9000}
        """);

    assertThat(run(history))
        .isEqualTo(
            """
            {"instance":"user/a%09%C3%BC%22%2F%25","verdict":"TORN_MISSING","token":"t\\n1","version":7,"behind":["user:a\\tü\\"/%:settings"],"at":3000,"state":"OPEN","action":"report","basis":"observations"}
            """);
  }

  @Test
  void shouldPrintTheStoreWhereAKeyStandsInTwo() throws IOException {
    assertThat(
            replay(
                """
                1000 set east@conf:a 7:t1
                20000 end
                """))
        .contains("\"behind\":[\"west/conf:a\"]");
  }

  @Test
  void shouldLeaveOutAVersionOrTokenThatAStampHasNot() throws IOException {
    assertThat(replay("1000 set plain:1:left 7:\n20000 end"))
        .startsWith(
            "{\"instance\":\"plain/1\",\"verdict\":\"TORN_MISSING\",\"version\":7,\"behind\":");
  }

  @ParameterizedTest
  @CsvSource({"1000 set user:1:profile 7:t1, 3", "1000 set user:1:profile unstamped, 0"})
  void shouldExitByWhatWasFound(String history, int expected) throws IOException {
    replay(history + "\n20000 end");

    assertThat(code).isEqualTo(expected);
    assertThat(err.toString()).contains("lines 2, incidents " + (expected == 3 ? 1 : 0));
  }

  @Test
  void shouldExitIncompleteWhereSomethingIsUndecided() throws IOException {
    replay(
        """
        100 intent 6:t0 order:1:head order:1:lines
        100 set order:1:head 6:t0
        100 set order:1:lines 6:t0
        900 intent 7:t1 order:1:head order:1:lines
        950 intent 8:t2 order:1:head
        1000 set order:1:head 8:t2
        20000 end
        """);

    assertThat(code).isEqualTo(4);
    assertThat(err.toString()).contains("undecided 1");
  }

  @Test
  void shouldCountHealedIncidentsInTheExitCode() throws IOException {
    replay("1000 set user:1:profile 7:t1\n9000 set user:1:settings 7:t1\n20000 end");

    assertThat(code).isEqualTo(3);
  }

  @Test
  void shouldPrintTheSameBytesOnEveryRun() throws IOException {
    Random random = new Random(1);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 3_000; i++) {
      int id = random.nextInt(200);
      String side = random.nextBoolean() ? "profile" : "settings";
      int version = random.nextInt(40);
      String value =
          switch (random.nextInt(8)) {
            case 0 -> "unstamped";
            case 1 -> "absent";
            default -> version + ":t" + version;
          };
      String event = value.equals("absent") ? "del" : "set";
      text.append("%d %s user:%d:%s %s%n".formatted(1000 + 70L * i, event, id, side, value));
    }
    text.append("9000000 end");

    String first = replay(text.toString());
    String told = err.toString();
    err.getBuffer().setLength(0);

    assertThat(replay(text.toString())).isEqualTo(first).hasLineCount(first.split("\n").length);
    assertThat(first.split("\n").length).isGreaterThan(100);
    assertThat(err.toString()).isEqualTo(told);
  }

  private String replay(String tale) throws IOException {
    Path history = folder.resolve("history.jsonl");
    Files.writeString(history, Tale.of(tale).history());
    return run(history);
  }

  private String run(Path history) {
    StringWriter out = new StringWriter();
    CommandLine restitch = RestitchMain.commandLine().setOut(new PrintWriter(out));
    restitch.setErr(new PrintWriter(err));
    code =
        restitch.execute(
            "replay",
            "--history",
            history.toString(),
            "--config",
            "src/test/resources/replay/relations.yaml",
            "-o",
            "json");
    return out.toString();
  }
}
