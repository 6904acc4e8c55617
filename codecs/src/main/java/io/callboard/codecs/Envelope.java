package io.callboard.codecs;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A message as it is stored and sent. Its body is encoded once, where it is sent, and decoded where
 * it is handled. A large body lies in the blob log, and the envelope holds a reference.
 *
 * @param body JSON in UTF-8; never changed; empty if it is in the blob log and was not fetched
 * @param replyTo where the answer to an ask goes; null for a tell
 * @param message what the body encodes, for receivers in the same process; null if it came from a
 *     store
 * @param blob where the body is if it is not stored with the envelope; else null
 * @param handling how it wants to be handled
 * @param trace what it is a part of; null if of nothing that is traced
 */
@SuppressWarnings("ArrayRecordComponent")
public record Envelope(
    MessageId id,
    MessageType type,
    byte[] body,
    @Nullable String replyTo,
    @Nullable Object message,
    @Nullable BlobRef blob,
    Handling handling,
    @Nullable TraceContext trace) {
  private static final byte[] ELSEWHERE = {};

  /** Bytes that a blob reference adds to a segment, approximately. */
  private static final int BLOB_BYTES = 160;

  /**
   * Bytes that {@link Handling} other than {@link Handling#PLAIN} adds to a segment, approximately.
   */
  private static final int HANDLING_BYTES = 48;

  /** Creates an envelope as it is read from a store, with its body. */
  public Envelope(MessageId id, MessageType type, byte[] body, @Nullable String replyTo) {
    this(id, type, body, replyTo, null, null, Handling.PLAIN, null);
  }

  /** Creates an envelope as it is read from a store, whose body is in the blob log. */
  public Envelope(MessageId id, MessageType type, BlobRef blob, @Nullable String replyTo) {
    this(id, type, ELSEWHERE, replyTo, null, blob, Handling.PLAIN, null);
  }

  /**
   * Wraps {@code message} under its logical name; a {@link RawMessage} under the one it has.
   *
   * @throws CodecException if it cannot be written as JSON, or no message of its class be read back
   */
  public static Envelope of(MessageId id, Object message, @Nullable String replyTo) {
    if (message instanceof RawMessage raw) {
      return new Envelope(id, raw.type(), raw.checked(), replyTo);
    }
    MessageType type = MessageType.of(message.getClass());
    byte[] body = Json.readable("message", message);
    for (byte each : body) {
      if (each == '\n') {
        throw CodecException.malformed("the JSON of " + type.name(), "it holds a line break");
      }
    }
    return new Envelope(id, type, body, replyTo, message, null, Handling.PLAIN, null);
  }

  /** Returns this message with another id. */
  public Envelope withId(MessageId other) {
    return new Envelope(other, type, body, replyTo, message, blob, handling, trace);
  }

  /** Returns this message with its body in the blob log: the envelope holds the reference only. */
  public Envelope in(BlobRef log) {
    return new Envelope(id, type, ELSEWHERE, replyTo, message, log, handling, trace);
  }

  /** Returns this message with its body, fetched from the blob log. */
  public Envelope withBody(byte[] fetched) {
    return new Envelope(id, type, fetched, replyTo, message, blob, handling, trace);
  }

  /**
   * Returns this message without a copy of the body that the blob log holds; this envelope itself
   * if it holds none.
   */
  public Envelope withoutBlob() {
    return blob == null || lacksBody()
        ? this
        : new Envelope(id, type, ELSEWHERE, replyTo, null, blob, handling, trace);
  }

  /** Returns this message with another handling; this envelope itself if it has that handling. */
  public Envelope with(Handling other) {
    return other.equals(handling)
        ? this
        : new Envelope(id, type, body, replyTo, message, blob, other, trace);
  }

  /**
   * Returns this message as a part of another trace, of none if {@code other} is null; this
   * envelope itself if it is part of that trace.
   */
  public Envelope with(@Nullable TraceContext other) {
    return Objects.equals(other, trace)
        ? this
        : new Envelope(id, type, body, replyTo, message, blob, handling, other);
  }

  /**
   * Returns whether the body must be fetched from the blob log before the message can be handled.
   */
  public boolean lacksBody() {
    return blob != null && message == null && body.length == 0;
  }

  /** Returns the length of the body in bytes, whether the envelope or the blob log holds it. */
  public int bytes() {
    return blob == null ? body.length : blob.bytes();
  }

  /** Returns the bytes that this message adds to a segment, approximately. */
  public int size() {
    int content = blob == null ? body.length : BLOB_BYTES + blob.id().length();
    int special = handling.equals(Handling.PLAIN) ? 0 : HANDLING_BYTES;
    int traced = trace == null ? 0 : trace.size();
    return content + special + traced + id.sender().length() + type.name().length() + 48;
  }

  /** Returns the bytes that this message holds in memory, approximately. */
  public int held() {
    return blob == null || lacksBody() ? size() : size() + blob.bytes();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Envelope envelope
        && envelope.id.equals(id)
        && envelope.type.equals(type)
        && Objects.equals(envelope.replyTo, replyTo)
        && Objects.equals(envelope.blob, blob)
        && envelope.handling.equals(handling)
        && Objects.equals(envelope.trace, trace)
        && Arrays.equals(envelope.body, body);
  }

  @Override
  public int hashCode() {
    return id.hashCode();
  }

  @Override
  public String toString() {
    return "%s %s v%d, %d bytes".formatted(id, type.name(), type.version(), bytes());
  }
}
