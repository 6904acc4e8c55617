package io.callboard.codecs;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Writes envelopes as lines of a {@link Segment}. Not thread-safe. */
final class LineWriter {
  private static final byte[] FROM = ascii("\"from\":\"");
  private static final byte[] NUMBER = ascii("\"n\":");
  private static final byte[] TYPE = ascii("\"t\":\"");
  private static final byte[] VERSION = ascii("\"v\":");
  private static final byte[] REPLY = ascii("\"r\":\"");
  private static final byte[] LANE = ascii("\"p\":");
  private static final byte[] DEADLINE = ascii("\"d\":");
  private static final byte[] TIMER = ascii("\"k\":");
  private static final byte[] BODY = ascii("\"b\":");
  private static final byte[] BLOB = ascii("\"blob\":");
  private static final byte[] STRING_END = ascii("\",");

  private byte[] bytes;
  private int length;
  private @Nullable Envelope before;

  LineWriter(int size) {
    bytes = new byte[size];
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  byte[] array() {
    return bytes;
  }

  int length() {
    return length;
  }

  void write(Envelope envelope) {
    Envelope last = before;
    boolean sameSender = last != null && last.id().sender().equals(envelope.id().sender());
    put((byte) '{');
    if (!sameSender) {
      string(FROM, envelope.id().sender());
    }
    if (last == null || !sameSender || last.id().number() + 1 != envelope.id().number()) {
      number(NUMBER, envelope.id().number());
    }
    if (last == null || !last.type().equals(envelope.type())) {
      string(TYPE, envelope.type().name());
      number(VERSION, envelope.type().version());
    }
    if (envelope.replyTo() != null) {
      string(REPLY, envelope.replyTo());
    }
    handling(envelope.handling());
    if (envelope.blob() == null) {
      put(BODY);
      put(envelope.body());
    } else {
      put(BLOB);
      put(Json.bytes(envelope.blob()));
    }
    put((byte) '}');
    put((byte) '\n');
    before = envelope;
  }

  private void handling(Handling handling) {
    if (handling.lane() > 0) {
      number(LANE, handling.lane());
    }
    if (handling.deadlineMs() > 0) {
      number(DEADLINE, handling.deadlineMs());
    }
    if (handling.timer() > 0) {
      number(TIMER, handling.timer());
    }
  }

  private void string(byte[] key, String value) {
    put(key);
    put(JsonStringEncoder.getInstance().quoteAsUTF8(value));
    put(STRING_END);
  }

  private void number(byte[] key, long value) {
    put(key);
    put(ascii(Long.toString(value)));
    put((byte) ',');
  }

  private void put(byte[] more) {
    room(more.length);
    System.arraycopy(more, 0, bytes, length, more.length);
    length += more.length;
  }

  private void put(byte one) {
    room(1);
    bytes[length++] = one;
  }

  private void room(int more) {
    if (length + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
    }
  }
}
