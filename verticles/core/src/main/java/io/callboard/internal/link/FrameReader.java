package io.callboard.internal.link;

import io.callboard.CallboardException.Code;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.MessageType;
import io.callboard.internal.link.Frame.Acknowledgement;
import io.callboard.internal.link.Frame.Origin;
import io.callboard.supervision.Causes;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reader of one frame, which reads all of it or nothing; every count and length is checked before
 * memory is allocated for it.
 */
final class FrameReader {
  private static final int VARINT_SHIFT = 63;

  private final byte[] bytes;
  private final List<String> strings = new ArrayList<>();
  private final List<@Nullable ActorPath> paths = new ArrayList<>();
  private int at;
  private @Nullable Origin origin;
  private @Nullable MessageType lastType;

  FrameReader(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Returns the origin of the frame; null if reading did not come that far. */
  @Nullable Origin origin() {
    return origin;
  }

  /**
   * Reads the frame.
   *
   * @throws FrameException if it is malformed, truncated, over a limit or of a newer version
   */
  Frame read() {
    if (bytes.length > WireFormat.FRAME_BYTES) {
      throw new FrameException(
          "it has %d bytes, the limit is %d".formatted(bytes.length, WireFormat.FRAME_BYTES));
    }
    int version = number(Integer.MAX_VALUE, "version");
    if (version != WireFormat.VERSION) {
      throw new FrameException(
          "it has version %d, this node reads %d".formatted(version, WireFormat.VERSION));
    }
    int kind = number(Integer.MAX_VALUE, "kind");
    Origin from = readOrigin();
    origin = from;
    Frame frame =
        switch (kind) {
          case WireFormat.HELLO -> new Frame.Hello(from, positive(), positive());
          case WireFormat.WELCOME ->
              new Frame.Welcome(
                  from,
                  positive(),
                  number(Integer.MAX_VALUE, "window"),
                  number(Integer.MAX_VALUE, "window"));
          case WireFormat.DATA -> data(from);
          case WireFormat.TAKES_PUSHES -> new Frame.TakesPushes(from, positive());
          case WireFormat.SIGNAL -> new Frame.Signal(from, string(), signalled());
          case WireFormat.BROADCAST -> new Frame.Broadcast(from, news());
          case WireFormat.RESET -> new Frame.Reset(from, positive());
          case WireFormat.BYE -> new Frame.Bye(from);
          default -> throw new FrameException("there is no kind of frame " + kind);
        };
    if (at != bytes.length) {
      throw new FrameException("%d bytes are left at its end".formatted(bytes.length - at));
    }
    return frame;
  }

  private byte[] signalled() {
    int length = number(NodeSignals.MOST_BYTES, "signal");
    int offset = at;
    skip(length);
    return Arrays.copyOfRange(bytes, offset, at);
  }

  private List<Broadcasts.News> news() {
    int count = count(BroadcastQueue.MOST);
    List<Broadcasts.News> messages = new ArrayList<>(count);
    for (int left = count; left > 0; left--) {
      String name = string();
      MessageType type = type();
      int length = number(Broadcasts.MOST_BYTES, "body");
      int offset = at;
      skip(length);
      byte[] body = Arrays.copyOfRange(bytes, offset, at);
      messages.add(new Broadcasts.News(name, null, type, body));
    }
    return messages;
  }

  private Origin readOrigin() {
    String boot = string();
    String name = string();
    if (boot.isEmpty()
        || boot.length() > 64
        || !boot.chars().allMatch(c -> c == '-' || Character.isLetterOrDigit(c))) {
      throw new FrameException("it names no boot id");
    }
    return new Origin(boot, name);
  }

  private Frame.Data data(Origin from) {
    long link = varint();
    long sequence = varint();
    long acknowledged = varint();
    List<Acknowledgement> acknowledgements = new ArrayList<>();
    for (int left = count(WireFormat.ACKNOWLEDGEMENTS); left > 0; left--) {
      acknowledgements.add(acknowledgement());
    }
    int count = count(WireFormat.MESSAGES);
    if (count > 0 != sequence > 0) {
      throw new FrameException("%d messages under sequence %d".formatted(count, sequence));
    }
    List<IncomingMessage> messages = new ArrayList<>(count);
    for (int left = count; left > 0; left--) {
      messages.add(message());
    }
    return new Frame.Data(from, link, sequence, acknowledged, acknowledgements, messages);
  }

  private Acknowledgement acknowledgement() {
    long sequence = positive();
    long lost = varint();
    int count = count(WireFormat.MESSAGES);
    List<Acknowledgement.Refusal> refused = new ArrayList<>(count);
    for (int left = count; left > 0; left--) {
      int index = number(WireFormat.MESSAGES, "index");
      refused.add(new Acknowledgement.Refusal(index, code(string()), string()));
    }
    return new Acknowledgement(sequence, lost, refused);
  }

  /**
   * Returns the code of that name; an unknown one, of a newer node, counts as a handler's failure.
   */
  static Code code(String name) {
    for (Code code : Code.values()) {
      if (code.name().equals(name)) {
        return code;
      }
    }
    return Code.HANDLER_FAILED;
  }

  private IncomingMessage message() {
    MessageKind kind = MessageKind.of(number(Integer.MAX_VALUE, "kind"));
    ActorPath to = kind.hasReceiver() ? path() : null;
    String from = kind.hasReceiver() ? string() : "";
    long number =
        switch (kind) {
          case TELL -> 0;
          case PUSH -> varint();
          case ASK, ANSWER, FAILURE -> positive();
        };
    MessageType type = type();
    int length = number(WireFormat.BODY_BYTES, "body");
    int offset = at;
    skip(length);
    return new IncomingMessage(kind, to, from, number, type, bytes, offset, length);
  }

  private MessageType type() {
    String name = string();
    int version = number(Integer.MAX_VALUE, "type version");
    MessageType last = lastType;
    if (last != null && last.version() == version && last.name().equals(name)) {
      return last;
    }
    if (name.isEmpty() || version < 1) {
      throw new FrameException("a message has no type");
    }
    MessageType type = new MessageType(name, version);
    lastType = type;
    return type;
  }

  private ActorPath path() {
    int index = stringIndex();
    ActorPath path = paths.get(index);
    if (path == null) {
      try {
        path = ActorPath.of(strings.get(index));
      } catch (IllegalArgumentException e) {
        throw new FrameException(Causes.message(e));
      }
      paths.set(index, path);
    }
    return path;
  }

  private String string() {
    return strings.get(stringIndex());
  }

  private int stringIndex() {
    int index = number(strings.size(), "string");
    if (index > 0) {
      return index - 1;
    }
    if (strings.size() >= WireFormat.STRINGS) {
      throw new FrameException("it has more than %d strings".formatted(WireFormat.STRINGS));
    }
    int length = number(WireFormat.STRING_BYTES, "string");
    int offset = at;
    skip(length);
    try {
      strings.add(
          StandardCharsets.UTF_8
              .newDecoder()
              .decode(ByteBuffer.wrap(bytes, offset, length))
              .toString());
    } catch (CharacterCodingException e) {
      throw new FrameException("a string is not UTF-8");
    }
    paths.add(null);
    return strings.size() - 1;
  }

  /** Reads a count of items that take at least a byte each. */
  private int count(int limit) {
    int count = number(limit, "count");
    if (count > bytes.length - at) {
      throw new FrameException("it is truncated");
    }
    return count;
  }

  private long positive() {
    long value = varint();
    if (value < 1) {
      throw new FrameException("a number is not positive");
    }
    return value;
  }

  private int number(int limit, String what) {
    long value = varint();
    if (value > limit) {
      throw new FrameException("a %s is %d, the limit is %d".formatted(what, value, limit));
    }
    return (int) value;
  }

  private long varint() {
    long value = 0;
    for (int shift = 0; shift < VARINT_SHIFT; shift += 7) {
      if (at >= bytes.length) {
        throw new FrameException("it is truncated");
      }
      byte next = bytes[at++];
      value |= (next & 0x7FL) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw new FrameException("a number is too long");
  }

  private void skip(int length) {
    if (length > bytes.length - at) {
      throw new FrameException("it is truncated");
    }
    at += length;
  }
}
