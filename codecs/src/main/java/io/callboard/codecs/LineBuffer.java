package io.callboard.codecs;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.CRC32C;

/** The bytes of lines of JSON that are being written. Not thread-safe. */
final class LineBuffer {
  private static final byte[] STRING_END = ascii("\",");

  private byte[] bytes;
  private int length;

  LineBuffer(int size) {
    bytes = new byte[size];
  }

  static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  int length() {
    return length;
  }

  /** Returns the CRC-32C of everything that was put, as eight hexadecimal digits. */
  String crc() {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, length);
    return hex(crc);
  }

  static String hex(CRC32C crc) {
    return HexFormat.of().toHexDigits((int) crc.getValue());
  }

  /** Returns {@code header}, followed by everything that was put. */
  byte[] after(String header) {
    byte[] first = header.getBytes(StandardCharsets.UTF_8);
    byte[] all = Arrays.copyOf(first, first.length + length);
    System.arraycopy(bytes, 0, all, first.length, length);
    return all;
  }

  /** Puts a text field and its comma. */
  void string(byte[] key, String value) {
    put(key);
    put(JsonStringEncoder.getInstance().quoteAsUTF8(value));
    put(STRING_END);
  }

  /** Puts a numeric field and its comma. */
  void number(byte[] key, long value) {
    put(key);
    put(ascii(Long.toString(value)));
    put((byte) ',');
  }

  void put(byte[] more) {
    room(more.length);
    System.arraycopy(more, 0, bytes, length, more.length);
    length += more.length;
  }

  void put(byte one) {
    room(1);
    bytes[length++] = one;
  }

  private void room(int more) {
    if (length + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
    }
  }
}
