package dev.restitch.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.restitch.model.Bytes;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class SlotsTest {

  @TempDir private Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void shouldHashTheTagWhereThereIsOne() {
    assertThat(SlotAdvice.slot(Bytes.utf8("123456789"))).isEqualTo(0x31C3);
    assertThat(SlotAdvice.slot(Bytes.utf8("{user1000}.following")))
        .isEqualTo(SlotAdvice.slot(Bytes.utf8("{user1000}.followers")));
    assertThat(SlotAdvice.tag(Bytes.utf8("foo{{bar}}zap"))).contains(Bytes.utf8("{bar"));
    assertThat(SlotAdvice.tag(Bytes.utf8("foo{}{bar}"))).isEmpty();
    assertThat(SlotAdvice.tag(Bytes.utf8("foo{bar}{zap}"))).contains(Bytes.utf8("bar"));
  }

  @Test
  void shouldRenameTheKeysThatATagWouldJoin() throws Exception {
    assertThat(run("user:1:profile", "other")).isZero();
    assertThat(out.toString())
        .contains("user.profile", "rename user:{id}:profile to user:{{{id}}}:profile")
        .contains("rename user:{id}:settings to user:{{{id}}}:settings", "that costs:")
        .doesNotContain("stores: no tag helps")
        .contains("hash tag", "token stamp", "version stamp", "commit marker", "coordinator");
  }

  @Test
  void shouldSayWhatIsAtomicAndWhatStandsInSeveralStores() throws Exception {
    assertThat(run("--relation", "cart")).isZero();
    assertThat(out.toString()).contains("all sides share a slot");
    assertThat(run("--relation", "far", "-o", "json")).isZero();
    assertThat(out.toString()).contains("\"atomic\":false", "in 2 stores: no tag helps");
    assertThat(run("--relation", "crt")).isEqualTo(2);
    assertThat(err.toString()).contains("there is no relation 'crt'; known are [cart, far, user]");
    assertThat(run()).isEqualTo(2);
  }

  private int run(String... arguments) throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("restitch.yaml"),
            """
            kafka: { bootstrap.servers: "localhost:1" }
            registry: { url: "http://localhost:1" }
            stores: { main: { cluster: ["redis://localhost:1"] }, west: { uri: "redis://localhost:2" } }
            relations:
              user:
                sides:
                  profile:  { store: main, key: "user:{id}:profile" }
                  settings: { store: main, key: "user:{id}:settings" }
                stamp: "{version}:{token}:{payload}"
                version: { order: counter }
              cart:
                sides:
                  head: { store: main, key: "cart:{{{id}}}:head" }
                  body: { store: main, key: "cart:{{{id}}}:body" }
                stamp: "{version}:{token}:{payload}"
                version: { order: counter }
              far:
                sides:
                  here:  { store: main, key: "far:{id}" }
                  there: { store: west, key: "far:{id}" }
                stamp: "{version}:{token}:{payload}"
                version: { order: counter }
            """);
    CommandLine line = RestitchMain.commandLine();
    line.setOut(new PrintWriter(out, true));
    line.setErr(new PrintWriter(err, true));
    String[] all = new String[arguments.length + 3];
    all[0] = "slots";
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    all[arguments.length + 1] = "--config";
    all[arguments.length + 2] = file.toString();
    return line.execute(all);
  }
}
