package io.callboard.codecs;

import static io.callboard.codecs.LineBuffer.ascii;

import org.jspecify.annotations.Nullable;

/** Writer of envelopes as lines of a {@link Segment}. Not thread-safe. */
final class LineWriter {
  private static final byte[] FROM = ascii("\"from\":\"");
  private static final byte[] NUMBER = ascii("\"n\":");
  private static final byte[] TYPE = ascii("\"t\":\"");
  private static final byte[] VERSION = ascii("\"v\":");
  private static final byte[] REPLY = ascii("\"r\":\"");
  private static final byte[] LANE = ascii("\"p\":");
  private static final byte[] DEADLINE = ascii("\"d\":");
  private static final byte[] TIMER = ascii("\"k\":");
  private static final byte[] PARENT = ascii("\"tp\":\"");
  private static final byte[] STATE = ascii("\"ts\":\"");
  private static final byte[] BODY = ascii("\"b\":");
  private static final byte[] BLOB = ascii("\"blob\":");

  private final LineBuffer lines;
  private @Nullable Envelope before;

  LineWriter(LineBuffer lines) {
    this.lines = lines;
  }

  void write(Envelope envelope) {
    Envelope last = before;
    boolean sameSender = last != null && last.id().sender().equals(envelope.id().sender());
    lines.put((byte) '{');
    if (!sameSender) {
      lines.string(FROM, envelope.id().sender());
    }
    if (last == null || !sameSender || last.id().number() + 1 != envelope.id().number()) {
      lines.number(NUMBER, envelope.id().number());
    }
    if (last == null || !last.type().equals(envelope.type())) {
      lines.string(TYPE, envelope.type().name());
      lines.number(VERSION, envelope.type().version());
    }
    if (envelope.replyTo() != null) {
      lines.string(REPLY, envelope.replyTo());
    }
    handling(envelope.handling());
    trace(envelope.trace());
    if (envelope.blob() == null) {
      lines.put(BODY);
      lines.put(envelope.body());
    } else {
      lines.put(BLOB);
      lines.put(Json.bytes(envelope.blob()));
    }
    lines.put((byte) '}');
    lines.put((byte) '\n');
    before = envelope;
  }

  private void trace(@Nullable TraceContext trace) {
    if (trace != null) {
      lines.string(PARENT, trace.parent());
      if (trace.state() != null) {
        lines.string(STATE, trace.state());
      }
    }
  }

  private void handling(Handling handling) {
    if (handling.lane() > 0) {
      lines.number(LANE, handling.lane());
    }
    if (handling.deadlineMs() > 0) {
      lines.number(DEADLINE, handling.deadlineMs());
    }
    if (handling.timer() > 0) {
      lines.number(TIMER, handling.timer());
    }
  }
}
