package io.callboard.internal.link;

import io.callboard.internal.link.Frame.Acknowledgement;
import io.callboard.internal.link.Frame.Origin;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writer of frames, one after the other; for one thread. Numbers are LEB128; a string is written
 * where it first occurs in a frame, after that its index.
 */
final class FrameWriter {
  private static final int INITIAL = 8 << 10;
  private static final int MOST_KEPT = 1 << 20;
  private static final int VARINT_BYTES = 10;

  private final Origin origin;
  private final Map<String, Integer> strings = new HashMap<>();
  private byte[] bytes = new byte[INITIAL];
  private int end;
  private @Nullable String lastFrom;
  private @Nullable String lastTo;
  private @Nullable String lastType;
  private int lastFromIndex;
  private int lastToIndex;
  private int lastTypeIndex;

  FrameWriter(Origin origin) {
    this.origin = origin;
  }

  byte[] hello(long link, long next) {
    begin(WireFormat.HELLO);
    number(link);
    number(next);
    return done();
  }

  byte[] welcome(long link, int messages, int windowBytes) {
    begin(WireFormat.WELCOME);
    number(link);
    number(messages);
    number(windowBytes);
    return done();
  }

  byte[] takesPushes(long link) {
    begin(WireFormat.TAKES_PUSHES);
    number(link);
    return done();
  }

  byte[] signal(String topic, byte[] body) {
    begin(WireFormat.SIGNAL);
    string(topic);
    number(body.length);
    raw(body);
    return done();
  }

  byte[] broadcast(List<Broadcasts.News> messages) {
    begin(WireFormat.BROADCAST);
    number(messages.size());
    for (Broadcasts.News message : messages) {
      string(message.name());
      string(message.type().name());
      number(message.type().version());
      number(message.body().length);
      raw(message.body());
    }
    return done();
  }

  byte[] reset(long link) {
    begin(WireFormat.RESET);
    number(link);
    return done();
  }

  byte[] bye() {
    begin(WireFormat.BYE);
    return done();
  }

  /** Writes {@link Frame.Data}. */
  byte[] data(
      long link,
      long sequence,
      long acknowledged,
      List<Acknowledgement> acknowledgements,
      List<? extends OutgoingMessage> messages) {
    begin(WireFormat.DATA);
    number(link);
    number(sequence);
    number(acknowledged);
    number(acknowledgements.size());
    acknowledgements.forEach(this::acknowledgement);
    number(messages.size());
    for (OutgoingMessage message : messages) {
      message(message);
    }
    return done();
  }

  private void acknowledgement(Acknowledgement acknowledgement) {
    number(acknowledgement.sequence());
    number(acknowledgement.lost());
    number(acknowledgement.refused().size());
    for (Acknowledgement.Refusal refusal : acknowledgement.refused()) {
      number(refusal.index());
      string(refusal.code().name());
      string(refusal.text());
    }
  }

  private void message(OutgoingMessage message) {
    number(message.kind().wire());
    if (message.kind().hasReceiver()) {
      String to = message.toText();
      if (!to.equals(lastTo)) {
        lastToIndex = index(to);
        lastTo = to;
      } else {
        number(lastToIndex);
      }
      if (!message.from().equals(lastFrom)) {
        lastFromIndex = index(message.from());
        lastFrom = message.from();
      } else {
        number(lastFromIndex);
      }
    }
    if (message.kind() != MessageKind.TELL) {
      number(message.number());
    }
    String type = message.type().name();
    if (!type.equals(lastType)) {
      lastTypeIndex = index(type);
      lastType = type;
    } else {
      number(lastTypeIndex);
    }
    number(message.type().version());
    byte[] body = message.body();
    number(body.length);
    raw(body);
  }

  private void begin(int kind) {
    end = 0;
    strings.clear();
    lastFrom = null;
    lastTo = null;
    lastType = null;
    number(WireFormat.VERSION);
    number(kind);
    string(origin.boot());
    string(origin.name());
  }

  private byte[] done() {
    byte[] frame = Arrays.copyOf(bytes, end);
    if (bytes.length > MOST_KEPT) {
      bytes = new byte[INITIAL];
    }
    return frame;
  }

  private void string(String text) {
    var unused = index(text);
  }

  /** Writes a string, or the index of its first occurrence. */
  private int index(String text) {
    Integer known = strings.get(text);
    if (known != null) {
      number(known);
      return known;
    }
    int index = strings.size() + 1;
    strings.put(text, index);
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    number(0);
    number(utf8.length);
    raw(utf8);
    return index;
  }

  private void number(long value) {
    room(VARINT_BYTES);
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      bytes[end++] = (byte) ((rest & 0x7F) | 0x80);
      rest >>>= 7;
    }
    bytes[end++] = (byte) rest;
  }

  private void raw(byte[] some) {
    room(some.length);
    System.arraycopy(some, 0, bytes, end, some.length);
    end += some.length;
  }

  private void room(int more) {
    if (bytes.length - end < more) {
      bytes = Arrays.copyOf(bytes, Math.max(end + more, bytes.length * 2));
    }
  }
}
