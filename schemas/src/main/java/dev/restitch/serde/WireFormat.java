package dev.restitch.serde;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import org.apache.kafka.common.errors.SerializationException;

/** The head of a value: a zero byte, and the schema's id in four big-endian bytes. */
final class WireFormat {

  static final int HEADER_LENGTH = 5;
  private static final int MAGIC = 0;
  private static final int MAGIC_GUID = 1;

  private WireFormat() {}

  static void writeHeader(ByteArrayOutputStream out, int id) {
    out.write(MAGIC);
    out.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(id).array());
  }

  /**
   * The schema's id.
   *
   * @throws SerializationException if the value does not begin as it should
   */
  static int readId(String topic, byte[] value) {
    if (value.length == 0) {
      throw new SerializationException(
          "a value in " + topic + " is empty; it should begin with a zero byte and a schema id");
    }
    if (value[0] == MAGIC_GUID) {
      throw new SerializationException(
          "a value in "
              + topic
              + " names its schema by a GUID (magic byte 1), which is not read here; let its"
              + " producer write schema ids into the value");
    }
    if (value[0] != MAGIC) {
      throw new SerializationException(
          String.format(
              "a value in %s begins with byte 0x%02x, not with the zero byte of the Confluent wire"
                  + " format",
              topic, value[0]));
    }
    if (value.length < HEADER_LENGTH) {
      throw new SerializationException(
          "a value in "
              + topic
              + " ends within its schema id ("
              + value.length
              + " bytes, at least "
              + HEADER_LENGTH
              + " needed)");
    }
    return ByteBuffer.wrap(value, 1, Integer.BYTES).getInt();
  }
}
