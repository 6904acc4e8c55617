package io.callboard.codecs;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Reader of lines that are JSON objects, field by field, in the one form in which they are written:
 * without blanks, the content last. It looks at what surrounds the content, not into it. Not
 * thread-safe.
 */
final class LineCursor {
  private final String what;
  private final byte[] bytes;
  private int at;
  private int end;

  LineCursor(String what, byte[] bytes, int from) {
    this.what = what;
    this.bytes = bytes;
    this.at = from;
  }

  /**
   * Returns the index of the end of the line that holds {@code from}; the length of {@code bytes}
   * if the line has no end.
   */
  static int endOfLine(byte[] bytes, int from) {
    int at = from;
    while (at < bytes.length && bytes[at] != '\n') {
      at++;
    }
    return at;
  }

  /** Checks that the bytes from {@code from} on match the checksum in their header. */
  static void checkCrc(String what, JsonNode header, byte[] bytes, int from) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, bytes.length - from);
    if (!header.path("c").asText().equals(LineBuffer.hex(crc))) {
      throw CodecException.malformed(what, "its checksum does not match: it is damaged");
    }
  }

  boolean hasNext() {
    return at < bytes.length;
  }

  /** Goes into the next line. */
  void open(String kind) {
    end = endOfLine(bytes, at);
    if (end == bytes.length || end - at < 4 || bytes[at] != '{' || bytes[end - 1] != '}') {
      throw malformed("is no " + kind);
    }
    at++;
  }

  /** Returns the index where the content begins, after its key. */
  int at() {
    return at;
  }

  /** Returns the length of the content, which goes up to the closing brace of the line. */
  int contentLength() {
    return end - 1 - at;
  }

  /** Returns the content and ends the line. */
  byte[] content() {
    byte[] content = Arrays.copyOfRange(bytes, at, end - 1);
    close();
    return content;
  }

  /** Ends the line. */
  void close() {
    at = end + 1;
  }

  String key() {
    String key = string();
    expect(':');
    return key;
  }

  /** Reads the comma after a field that is not the last. */
  void comma() {
    expect(',');
  }

  private void expect(char wanted) {
    if (at >= bytes.length || bytes[at] != wanted) {
      throw malformed("lacks a '%s'".formatted(wanted));
    }
    at++;
  }

  String string() {
    expect('"');
    int from = at;
    boolean escaped = false;
    while (at < bytes.length && bytes[at] != '"' && bytes[at] != '\n') {
      if (bytes[at] == '\\') {
        escaped = true;
        at++;
      }
      at++;
    }
    if (at >= bytes.length) {
      throw malformed("has a string without an end");
    }
    expect('"');
    return escaped
        ? Json.text(what, Json.read(what, Arrays.copyOfRange(bytes, from - 1, at), String.class))
        : new String(bytes, from, at - 1 - from, StandardCharsets.UTF_8);
  }

  long number() {
    int from = at;
    long value = 0;
    while (at < bytes.length && bytes[at] >= '0' && bytes[at] <= '9' && at - from < 19) {
      value = value * 10 + (bytes[at] - '0');
      at++;
    }
    if (at == from || value < 0) {
      throw malformed("lacks a number");
    }
    return value;
  }

  /** Returns the version that follows the name of a type. */
  MessageType version(@Nullable String name) {
    if (name == null || name.isEmpty()) {
      throw malformed("has a version without a type");
    }
    long version = number();
    if (version < 1 || version > Integer.MAX_VALUE) {
      throw malformed("has version " + version);
    }
    return new MessageType(name, (int) version);
  }

  CodecException malformed(String why) {
    return CodecException.malformed(what, "the line at byte %d %s".formatted(at, why));
  }
}
