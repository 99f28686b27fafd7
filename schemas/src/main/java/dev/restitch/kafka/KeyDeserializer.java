package dev.restitch.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Deserializer;

/**
 * Reads keys as UTF-8 text. A key that is not UTF-8 is read as well as can be, and its bytes are
 * kept in the header {@link HeaderNames#RAW_KEY}, so that a dead letter can carry them unchanged.
 */
final class KeyDeserializer implements Deserializer<String> {

  @Override
  public String deserialize(String topic, byte[] key) {
    return key == null ? null : new String(key, UTF_8);
  }

  @Override
  public String deserialize(String topic, Headers headers, byte[] key) {
    if (key == null) {
      return null;
    }
    try {
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(key)).toString();
    } catch (CharacterCodingException e) {
      headers.remove(HeaderNames.RAW_KEY);
      headers.add(HeaderNames.RAW_KEY, key);
      return new String(key, UTF_8);
    }
  }
}
