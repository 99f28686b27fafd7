package dev.restitch.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.restitch.key.KeyPattern;
import dev.restitch.model.Bytes;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class KeyspaceChannelsTest {

  private final KeyspaceChannels channels = new KeyspaceChannels(0);

  private List<String> patterns(String... keys) {
    return channels.patterns(List.of(keys).stream().map(KeyPattern::parse).toList()).stream()
        .map(Bytes::toString)
        .toList();
  }

  @Test
  void shouldNarrowTheSubscriptionToTheKeysOfTheSides() {
    assertThat(patterns("user:{id}:profile", "conf:{name}"))
        .containsExactly("__keyspace@0__:user:*:profile", "__keyspace@0__:conf:*");
  }

  @Test
  void shouldSubscribeOnceWhereOnePatternCoversAnother() {
    assertThat(patterns("user:{id}:profile", "user:{id}", "user:{other}"))
        .containsExactly("__keyspace@0__:user:*");
  }

  @Test
  void shouldTakeLiteralsLiterally() {
    assertThat(patterns("a*[b]?\\:{{{q}}}"))
        .containsExactly("__keyspace@0__:a\\*\\[b\\]\\?\\\\:{*}");
  }

  @Test
  void shouldSubscribeToAllWhereThePatternsAreTooMany() {
    String[] many = IntStream.range(0, 33).mapToObj(i -> "k" + i + ":{id}").toArray(String[]::new);

    assertThat(patterns(many)).containsExactly("__keyspace@0__:*");
  }

  @Test
  void shouldFindTheKeyOfAChannelByteForByte() {
    byte[] channel = TestBytes.join("__keyspace@0__:", (byte) 0xff, (byte) 0);

    assertThat(channels.key(channel)).contains(Bytes.copyOf(new byte[] {(byte) 0xff, 0}));
    assertThat(channels.key(TestBytes.join("__keyspace@1__:a"))).isEmpty();
    assertThat(channels.key(TestBytes.join("x"))).isEmpty();
  }

  @Test
  void shouldNotTakeAnEscapedStarForAWildcard() {
    assertThat(KeyspaceChannels.covers("a\\*", "a*")).isFalse();
    assertThat(KeyspaceChannels.covers("a*", "a\\*b")).isTrue();
    assertThat(KeyspaceChannels.covers("a*c", "ab*")).isFalse();
  }

  private static final class TestBytes {
    static byte[] join(String text, byte... tail) {
      byte[] head = Bytes.utf8(text).toArray();
      byte[] all = java.util.Arrays.copyOf(head, head.length + tail.length);
      System.arraycopy(tail, 0, all, head.length, tail.length);
      return all;
    }
  }
}
