package dev.restitch.replay;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.restitch.cli.RestitchMain;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** What {@code restitch replay} says of histories that are broken, or impossible. */
class BadHistoryTest {

  private static final String GOOD =
      """
      {"type":"observation","at":1000,"key":"user:1:profile","event":"set","state":"stamped","version":7,"token":"t1"}
      """;

  @TempDir private Path folder;
  private Path history;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void file() {
    history = folder.resolve("history.jsonl");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"type\":\"observation\",\"at\":1 | not JSON",
        "[] | not a JSON object",
        "garbage | not JSON",
        "{\"at\":1} | \"type\" is missing",
        "{\"type\":\"end\"} | \"at\" is missing",
        "{\"type\":\"end\",\"at\":-1} | \"at\" is not a whole number",
        "{\"type\":\"end\",\"at\":1.5} | \"at\" is not a whole number",
        "{\"type\":\"end\",\"at\":\"1\"} | \"at\" is not a whole number",
        "{\"type\":\"end\",\"at\":9223372036854775808} | \"at\" is not a whole number",
        "{\"type\":\"end\",\"at\":1,\"at\":2} | not JSON",
        "{\"type\":\"end\",\"at\":1} {} | not JSON",
        "{\"type\":\"finish\",\"at\":1} | unknown type \"finish\"",
        "{\"type\":\"observation\",\"at\":1,\"state\":\"absent\"} | \"key\" is missing",
        "{\"type\":\"observation\",\"at\":1,\"key\":\"user:1:profile\"} | \"state\" is missing",
        "{\"type\":\"observation\",\"at\":1,\"key\":\"user:1:profile\",\"state\":\"gone\"} |"
            + " \"state\" is \"gone\"",
        "{\"type\":\"observation\",\"at\":1,\"key\":\"user:1:profile\",\"state\":\"unknown\"} |"
            + " \"state\" is \"unknown\"",
        "{\"type\":\"observation\",\"at\":1,\"key\":\"user:1:profile\",\"state\":\"present\"} |"
            + " only a marker is",
        "{\"type\":\"observation\",\"at\":1,\"key\":\"user:1:profile\",\"state\":\"stamped\"} |"
            + " neither \"token\" nor \"version\"",
        "{\"type\":\"observation\",\"at\":1,\"key\":\"user:1:profile\",\"state\":\"stamped\",\"token64\":\"%\",\"version\":1}"
            + " | not base64",
        "{\"type\":\"observation\",\"at\":1,\"key\":\"txn:t:committed\",\"state\":\"unstamped\"} |"
            + " a marker is present or absent",
        "{\"type\":\"observation\",\"at\":1,\"key\":\"conf:a\",\"state\":\"absent\"} | must name"
            + " its \"store\"",
        "{\"type\":\"intent\",\"at\":1,\"token\":\"t\"} | \"writes\" is missing",
        "{\"type\":\"intent\",\"at\":1,\"token\":\"t\",\"writes\":[{\"key\":\"user:1:profile\",\"op\":\"add\"}]}"
            + " | \"op\" is \"add\"",
        "{\"type\":\"intent\",\"at\":1,\"token\":\"t\",\"writes\":[{\"key\":\"user:1:profile\",\"op\":\"put\"},{\"key\":\"user:1:profile\",\"op\":\"delete\"}]}"
            + " | stands there twice",
        "{\"type\":\"done\",\"at\":1,\"token\":\"t\",\"keys\":{\"user:1:profile\":\"maybe\"}} |"
            + " \"keys\" is \"maybe\"",
        "{\"type\":\"snapshot\",\"at\":1,\"sides\":[]} | \"instance\" is missing",
        "{\"type\":\"snapshot\",\"at\":1,\"instance\":\"user/1/2\",\"sides\":[]} | has 2 ids",
        "{\"type\":\"snapshot\",\"at\":1,\"instance\":\"user/%G1\",\"sides\":[]} | broken percent"
            + " escape",
        "{\"type\":\"snapshot\",\"at\":1,\"instance\":\"user/1\",\"sides\":{}} | \"sides\" is not a"
            + " list",
        "{\"type\":\"snapshot\",\"at\":1,\"instance\":\"user/1\",\"stable\":\"yes\",\"sides\":[]} |"
            + " \"stable\" is not true or false",
        "{\"type\":\"snapshot\",\"at\":1,\"instance\":\"user/1\",\"sides\":[{\"key\":\"user:1:profile\",\"state\":\"absent\"},{\"key\":\"user:1:profile\",\"state\":\"unstamped\"}]}"
            + " | stands there twice",
        "{\"type\":\"gap\",\"at\":1,\"store\":\"east\",\"from\":2,\"to\":1} | \"from\" is later"
            + " than \"to\"",
        "{\"type\":\"outcome\",\"at\":1,\"instance\":\"user/1\",\"command\":\"c\",\"attempt\":1,\"outcome\":\"DONE\"}"
            + " | \"outcome\" is \"DONE\""
      })
  void shouldStopAtABrokenLineAndNameIt(String broken, String why) throws IOException {
    int code = replay(GOOD + "\n" + broken + "\n" + GOOD);

    assertThat(code).isEqualTo(2);
    assertThat(err.toString()).contains(history + ": line 3: ").contains(why);
    assertThat(out.toString()).as("no half of a result").isEmpty();
  }

  @Test
  void shouldNameALineThatIsNotUtf8() throws IOException {
    byte[] good = GOOD.getBytes(StandardCharsets.UTF_8);
    byte[] bad =
        "{\"type\":\"end\",\"at\":1,\"x\":\"\u00ff\"}\n".getBytes(StandardCharsets.ISO_8859_1);
    byte[] all = new byte[good.length + bad.length];
    System.arraycopy(good, 0, all, 0, good.length);
    System.arraycopy(bad, 0, all, good.length, bad.length);
    Files.write(history, all);

    assertThat(run()).isEqualTo(2);
    assertThat(err.toString()).contains("line 2: not UTF-8");
  }

  @Test
  void shouldNameALastLineThatWasCutOff() throws IOException {
    assertThat(replay(GOOD + "{\"type\":\"end\",\"at\":60")).isEqualTo(2);
    assertThat(err.toString()).contains("line 2: not JSON");
  }

  @Test
  void shouldTakeCarriageReturnsBlankLinesAndAByteOrderMark() throws IOException {
    assertThat(
            replay("\ufeff" + GOOD.replace("\n", "\r\n") + "\r\n \n{\"type\":\"end\",\"at\":9000}"))
        .isEqualTo(3);
    assertThat(out.toString()).contains("TORN_MISSING");
  }

  @Test
  void shouldWriteBrokenLinesToASideFileWhereItIsLenient() throws IOException {
    int code =
        replay(
            "garbage\n"
                + GOOD
                + "{\"type\":\"finish\",\"at\":9000000000000}\n"
                + "{\"type\":\"end\",\"at\":9000}\n",
            "--lenient");

    assertThat(code).isEqualTo(1);
    assertThat(out.toString()).contains("TORN_MISSING");
    assertThat(err.toString()).contains("broken lines skipped: 2");
    List<String> rejected = Files.readAllLines(folder.resolve("history.jsonl.rejected"));
    assertThat(rejected).hasSize(2);
    JsonNode first = new ObjectMapper().readTree(rejected.get(0));
    assertThat(first.get("line").asInt()).isEqualTo(1);
    assertThat(first.get("error").asText()).contains("not JSON");
    assertThat(first.get("text").asText()).isEqualTo("garbage");
    JsonNode second = new ObjectMapper().readTree(rejected.get(1));
    assertThat(second.get("line").asInt()).isEqualTo(3);
    assertThat(second.get("text").asText()).isEqualTo("{\"type\":\"finish\",\"at\":9000000000000}");
  }

  @Test
  void shouldLeaveNoSideFileWhereNothingIsBroken() throws IOException {
    Files.writeString(folder.resolve("history.jsonl.rejected"), "of an earlier run");

    assertThat(replay(GOOD + "{\"type\":\"end\",\"at\":9000}\n", "--lenient")).isEqualTo(3);
    assertThat(folder.resolve("history.jsonl.rejected")).doesNotExist();
  }

  @Test
  void shouldNotLetASkippedLineMoveTheTimeInWhichAnswersAreLookedFor() throws IOException {
    replay(
        GOOD
            + "{\"type\":\"observation\",\"at\":3001,\"key\":\"user:9:profile\",\"state\":\"unstamped\"}\n"
            + "{\"type\":\"finish\",\"at\":9000000}\n"
            + "{\"type\":\"snapshot\",\"at\":3100,\"asked\":3000,\"source\":\"probe\",\"instance\":\"user/1\",\"sides\":[{\"key\":\"user:1:profile\",\"state\":\"stamped\",\"version\":7,\"token\":\"t1\"},{\"key\":\"user:1:settings\",\"state\":\"stamped\",\"version\":7,\"token\":\"t1\"}]}\n",
        "--lenient");

    assertThat(out.toString()).as("the snapshot answers, and shows it whole").isEmpty();
  }

  @Test
  void shouldCountAndReportWhatIsImpossible() throws IOException {
    int code =
        replay(
            """
            {"type":"observation","at":900,"key":"nobody:1","event":"set","state":"unstamped"}
            {"type":"gap","at":900,"store":"nowhere","from":1,"to":2}
            {"type":"snapshot","at":900,"instance":"nobody/1","sides":[]}
            {"type":"intent","at":1000,"token":"t1","version":7,"writes":[{"key":"user:1:profile","op":"put"},{"key":"user:1:settings","op":"put"},{"key":"nobody:1","op":"put"}]}
            {"type":"intent","at":1000,"token":"t1","version":7,"writes":[{"key":"user:1:profile","op":"put"},{"key":"user:1:settings","op":"delete"}]}
            {"type":"observation","at":990,"key":"user:1:profile","event":"set","state":"stamped","version":7,"token":"t1"}
            {"type":"observation","at":1000,"key":"user:1:settings","event":"set","state":"stamped","version":7,"token":"t1"}
            {"type":"observation","at":1000,"key":"user:2:settings","event":"del","state":"absent","token":"t1"}
            {"type":"outcome","at":1100,"instance":"user/1","command":"c","attempt":1,"outcome":"APPLIED"}
            {"type":"end","at":9000}
            """);

    assertThat(err.toString())
        .contains("lines for keys of no relation: 3")
        .contains("keys of no relation in other lines: 1")
        .contains("intents disagree: 1")
        .contains("lines whose time is before an earlier line's: 1")
        .contains("lines that give a stamp to a key without one: 1")
        .contains("stale outcome: 1");
    assertThat(code).isZero();
  }

  @Test
  void shouldChooseTheSameOfTwoIntentsThatDisagreeWhicheverComesFirst() throws IOException {
    String a =
        "{\"type\":\"intent\",\"at\":1000,\"token\":\"t1\",\"version\":7,\"writes\":[{\"key\":\"order:1:head\",\"op\":\"put\"},{\"key\":\"order:1:lines\",\"op\":\"put\"}]}\n";
    String b =
        "{\"type\":\"intent\",\"at\":1000,\"token\":\"t1\",\"version\":7,\"writes\":[{\"key\":\"order:1:head\",\"op\":\"put\"},{\"key\":\"order:1:notes\",\"op\":\"put\"}]}\n";
    String rest =
        "{\"type\":\"observation\",\"at\":1100,\"key\":\"order:1:head\",\"event\":\"set\",\"state\":\"stamped\",\"version\":7,\"token\":\"t1\"}\n"
            + "{\"type\":\"end\",\"at\":9000}\n";
    replay(a + b + rest);
    String first = out.toString();
    out.getBuffer().setLength(0);

    replay(b + a + rest);

    assertThat(out.toString()).isEqualTo(first).contains("TORN_MISSING");
  }

  @Test
  void shouldSayThatTheFileCannotBeRead() {
    assertThat(run()).isEqualTo(2);
    assertThat(err.toString()).contains("cannot read the history file");
  }

  private int replay(String text, String... options) throws IOException {
    Files.writeString(history, text);
    return run(options);
  }

  private int run(String... options) {
    CommandLine restitch = RestitchMain.commandLine().setOut(new PrintWriter(out));
    restitch.setErr(new PrintWriter(err));
    List<String> args =
        new java.util.ArrayList<>(
            List.of(
                "replay",
                "--history",
                history.toString(),
                "--config",
                "src/test/resources/replay/relations.yaml",
                "-o",
                "json"));
    args.addAll(List.of(options));
    return restitch.execute(args.toArray(String[]::new));
  }
}
