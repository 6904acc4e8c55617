package io.callboard.codecs;

import org.jspecify.annotations.Nullable;

/**
 * Reader of the lines of a {@link Segment}. A body that is no JSON is found where it is decoded.
 * Not thread-safe.
 */
final class LineReader {
  private final String what;
  private final LineCursor line;
  private @Nullable String sender;
  private long number;
  private @Nullable MessageType type;

  LineReader(String what, byte[] bytes, int from) {
    this.what = what;
    this.line = new LineCursor(what, bytes, from);
  }

  boolean hasNext() {
    return line.hasNext();
  }

  Envelope next() {
    line.open("envelope");
    number++;
    String reply = null;
    String typeName = null;
    long lane = 0;
    long deadlineMs = 0;
    long timer = 0;
    String parent = null;
    String state = null;
    while (true) {
      String key = line.key();
      switch (key) {
        case "from" -> sender = line.string();
        case "n" -> number = line.number();
        case "t" -> typeName = line.string();
        case "v" -> {
          type = line.version(typeName);
          typeName = null;
        }
        case "r" -> reply = line.string();
        case "p" -> lane = line.number();
        case "d" -> deadlineMs = line.number();
        case "k" -> timer = line.number();
        case "tp" -> parent = line.string();
        case "ts" -> state = line.string();
        case "b" -> {
          MessageId id = id();
          return new Envelope(id, type(typeName), line.content(), reply)
              .with(Handling.of(what, lane, deadlineMs, timer))
              .with(trace(parent, state));
        }
        case "blob" -> {
          MessageId id = id();
          MessageType of = type(typeName);
          return new Envelope(id, of, Json.read(what, line.content(), BlobRef.class), reply)
              .with(Handling.of(what, lane, deadlineMs, timer))
              .with(trace(parent, state));
        }
        default -> throw line.malformed("has an unknown field \"%s\"".formatted(key));
      }
      line.comma();
    }
  }

  private static @Nullable TraceContext trace(@Nullable String parent, @Nullable String state) {
    return parent == null ? null : TraceContext.read(parent, state).orElse(null);
  }

  private MessageId id() {
    if (sender == null || line.contentLength() < 1) {
      throw line.malformed("lacks its sender or body");
    }
    return new MessageId(sender, number);
  }

  private MessageType type(@Nullable String withoutVersion) {
    if (type == null || withoutVersion != null) {
      throw line.malformed("lacks its type or version");
    }
    return type;
  }
}
