package dev.restitch.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class BytesTest {

  @Test
  void shouldNotChangeWithTheArraysAroundIt() {
    byte[] source = {1, 2, 3};
    Bytes bytes = Bytes.copyOf(source);

    source[0] = 9;
    bytes.toArray()[1] = 9;

    assertThat(bytes).isEqualTo(Bytes.copyOf(new byte[] {1, 2, 3}));
    assertThat(bytes.toBuffer().isReadOnly()).isTrue();
  }

  @Test
  void shouldCopyWhatABufferHasLeftWithoutMovingIt() {
    ByteBuffer buffer = ByteBuffer.wrap(new byte[] {1, 2, 3, 4}, 1, 2);

    assertThat(Bytes.copyOf(buffer)).isEqualTo(Bytes.copyOf(new byte[] {2, 3}));
    assertThat(buffer.remaining()).isEqualTo(2);
  }

  @Test
  void shouldOrderAsUnsignedBytes() {
    Bytes low = Bytes.copyOf(new byte[] {0x7f});
    Bytes high = Bytes.copyOf(new byte[] {(byte) 0x80});

    assertThat(low).isLessThan(high);
    assertThat(Bytes.EMPTY).isLessThan(low);
    assertThat(Bytes.utf8("a")).isLessThan(Bytes.utf8("aa"));
  }

  @Test
  void shouldSayThatBytesAreNotUtf8() {
    Bytes overlongSlash = Bytes.copyOf(new byte[] {(byte) 0xc0, (byte) 0xaf});

    assertThat(overlongSlash.asUtf8()).isEmpty();
    assertThat(overlongSlash).hasToString("\\xc0\\xaf");
    assertThat(Bytes.utf8("grün").asUtf8()).contains("grün");
    assertThat(Bytes.utf8("a\nb")).hasToString("a\\x0ab");
  }

  @Test
  void shouldFindParts() {
    Bytes bytes = Bytes.utf8("a:b:c");
    Bytes colon = Bytes.utf8(":");

    assertThat(bytes.indexOf(colon, 0)).isEqualTo(1);
    assertThat(bytes.indexOf(colon, 2)).isEqualTo(3);
    assertThat(bytes.indexOf(colon, 4)).isEqualTo(-1);
    assertThat(bytes.indexOf(Bytes.utf8("a:b:c:d"), 0)).isEqualTo(-1);
    assertThat(bytes.startsWith(Bytes.utf8("a:"))).isTrue();
    assertThat(bytes.startsWith(Bytes.utf8("a:b:c:"))).isFalse();
    assertThat(bytes.endsWith(Bytes.utf8(":c"))).isTrue();
    assertThat(bytes.endsWith(Bytes.utf8("xa:b:c"))).isFalse();
    assertThat(bytes.matchesAt(-1, colon)).isFalse();
    assertThat(bytes.matchesAt(5, Bytes.EMPTY)).isTrue();
  }

  @Property
  void shouldCutAndJoin(@ForAll byte[] left, @ForAll byte[] right) {
    Bytes joined = Bytes.concat(List.of(Bytes.copyOf(left), Bytes.copyOf(right)));

    assertThat(joined.length()).isEqualTo(left.length + right.length);
    assertThat(joined.slice(0, left.length).toArray()).isEqualTo(left);
    assertThat(joined.slice(left.length, joined.length()).toArray()).isEqualTo(right);
    assertThat(joined.startsWith(Bytes.copyOf(left))).isTrue();
    assertThat(joined.endsWith(Bytes.copyOf(right))).isTrue();
  }

  @Property
  void shouldBeEqualIfAndOnlyIfTheBytesAre(@ForAll byte[] a, @ForAll byte[] b) {
    Bytes left = Bytes.copyOf(a);
    Bytes right = Bytes.copyOf(b);

    assertThat(left.equals(right)).isEqualTo(Arrays.equals(a, b));
    assertThat(left.compareTo(right) == 0).isEqualTo(Arrays.equals(a, b));
    assertThat(Bytes.copyOf(a)).isEqualTo(left).hasSameHashCodeAs(left);
  }
}
