package dev.restitch.stamp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.restitch.model.Bytes;
import java.util.Arrays;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.LongRange;

/** Whatever can be written is read back as it was, and what cannot be read back is not written. */
class StampRoundTripTest {

  @Provide
  Arbitrary<StampTemplate> templates() {
    return Arbitraries.of(
            "{version}:{token}:{payload}",
            "{timestamp}:{token}:{payload}",
            "{token}:{payload}",
            "{version}:{payload}",
            "{token}:{version}:{payload}",
            "v{version}|{token}::{payload}",
            "{token}aba{payload}",
            "{version}-{token}--{payload}")
        .map(StampTemplate::parse);
  }

  /** Bytes that are often separators, or parts of them. */
  @Provide
  Arbitrary<byte[]> bytes() {
    Arbitrary<Byte> near = Arbitraries.of((byte) ':', (byte) 'a', (byte) 'b', (byte) '-');
    return Arbitraries.oneOf(near, Arbitraries.bytes()).array(byte[].class).ofMaxSize(12);
  }

  @Property(tries = 3000)
  void shouldReadBackWhatWasWritten(
      @ForAll("templates") StampTemplate template,
      @ForAll @LongRange(min = 0) long version,
      @ForAll("bytes") byte[] token,
      @ForAll("bytes") byte[] payload) {
    Stamp stamp =
        new Stamp(
            template.hasVersion() ? version : null,
            template.hasToken() ? Bytes.copyOf(token) : Bytes.EMPTY);
    byte[] value;
    try {
      value = template.write(stamp, payload);
    } catch (IllegalArgumentException e) {
      return;
    }

    StampTemplate.Parsed parsed = template.read(value).orElseThrow();

    assertThat(parsed.stamp()).isEqualTo(stamp);
    assertThat(Arrays.copyOfRange(value, parsed.payloadOffset(), value.length)).isEqualTo(payload);
  }

  @Property(tries = 3000)
  void shouldWriteTheSameBytesThatWereRead(
      @ForAll("templates") StampTemplate template, @ForAll("bytes") byte[] value) {
    template
        .read(value)
        .ifPresent(
            parsed ->
                assertThat(template.prefix(parsed.stamp()))
                    .isEqualTo(Arrays.copyOf(value, parsed.payloadOffset())));
  }

  @Property
  void shouldRefuseNoTokenWithoutSeparators(
      @ForAll @LongRange(min = 0) long version, @ForAll byte[] token) {
    StampTemplate template = StampTemplate.parse("{version}:{token}:{payload}");
    Bytes bytes = Bytes.copyOf(token);
    if (bytes.isEmpty() || bytes.indexOf(Bytes.utf8(":"), 0) >= 0) {
      return;
    }

    assertThat(template.read(template.prefix(new Stamp(version, bytes)))).isPresent();
  }
}
