package io.callboard.codecs;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads the lines of a {@link Segment}. It looks at what surrounds a body, not into it: a body that
 * is no JSON is found where it is decoded. Not thread-safe.
 */
final class LineReader {
  private final String what;
  private final byte[] bytes;
  private int at;
  private @Nullable String sender;
  private long number;
  private @Nullable MessageType type;

  LineReader(String what, byte[] bytes, int from) {
    this.what = what;
    this.bytes = bytes;
    this.at = from;
  }

  /** Where the line that holds {@code from} ends; the length if it does not. */
  static int endOfLine(byte[] bytes, int from) {
    int at = from;
    while (at < bytes.length && bytes[at] != '\n') {
      at++;
    }
    return at;
  }

  boolean hasNext() {
    return at < bytes.length;
  }

  Envelope next() {
    int end = endOfLine(bytes, at);
    if (end == bytes.length || end - at < 4 || bytes[at] != '{' || bytes[end - 1] != '}') {
      throw malformed("is no envelope");
    }
    at++;
    number++;
    String reply = null;
    String typeName = null;
    long lane = 0;
    long deadlineMs = 0;
    long timer = 0;
    while (true) {
      String key = key();
      switch (key) {
        case "from" -> sender = string();
        case "n" -> number = number();
        case "t" -> typeName = string();
        case "v" -> {
          type = new MessageType(named(typeName), version());
          typeName = null;
        }
        case "r" -> reply = string();
        case "p" -> lane = number();
        case "d" -> deadlineMs = number();
        case "k" -> timer = number();
        case "b" -> {
          MessageId id = id(end);
          return new Envelope(id, type(typeName), content(end), reply)
              .with(Handling.of(what, lane, deadlineMs, timer));
        }
        case "blob" -> {
          MessageId id = id(end);
          MessageType of = type(typeName);
          return new Envelope(id, of, Json.read(what, content(end), BlobRef.class), reply)
              .with(Handling.of(what, lane, deadlineMs, timer));
        }
        default -> throw malformed("has an unknown field \"%s\"".formatted(key));
      }
      expect(',');
    }
  }

  private MessageId id(int end) {
    if (sender == null || at >= end - 1) {
      throw malformed("lacks its sender or body");
    }
    return new MessageId(sender, number);
  }

  private MessageType type(@Nullable String withoutVersion) {
    if (type == null || withoutVersion != null) {
      throw malformed("lacks its type or version");
    }
    return type;
  }

  /** The rest of the line but for its closing brace. */
  private byte[] content(int end) {
    byte[] content = Arrays.copyOfRange(bytes, at, end - 1);
    at = end + 1;
    return content;
  }

  private String named(@Nullable String name) {
    if (name == null || name.isEmpty()) {
      throw malformed("has a version without a type");
    }
    return name;
  }

  private int version() {
    long version = number();
    if (version < 1 || version > Integer.MAX_VALUE) {
      throw malformed("has version " + version);
    }
    return (int) version;
  }

  private String key() {
    String key = string();
    expect(':');
    return key;
  }

  private void expect(char wanted) {
    if (at >= bytes.length || bytes[at] != wanted) {
      throw malformed("lacks a '%s'".formatted(wanted));
    }
    at++;
  }

  private String string() {
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

  private long number() {
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

  private CodecException malformed(String why) {
    return CodecException.malformed(what, "the line at byte %d %s".formatted(at, why));
  }
}
