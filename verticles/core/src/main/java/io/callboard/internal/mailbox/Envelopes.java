package io.callboard.internal.mailbox;

import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.MessageId;
import io.callboard.store.Limits;
import io.callboard.supervision.Causes;
import org.jspecify.annotations.Nullable;

/** Factory of the envelopes in which messages to durable actors are stored, with their limits. */
public final class Envelopes {
  private Envelopes() {}

  /**
   * Encodes a message.
   *
   * @param replyTo the reply address; null if no answer is wanted
   * @throws CallboardException {@code PAYLOAD_TOO_LARGE} or {@code BAD_MESSAGE}
   */
  public static Envelope of(MessageId id, ActorPath to, Object message, @Nullable String replyTo) {
    Envelope envelope;
    try {
      envelope = Envelope.of(id, message, replyTo);
    } catch (CodecException e) {
      throw new CallboardException(Code.BAD_MESSAGE, Causes.message(e), e);
    }
    int bytes = envelope.body().length;
    if (bytes > Limits.MESSAGE_BYTES) {
      throw CallboardException.tooLarge("the message to " + to, bytes, Limits.MESSAGE_BYTES);
    }
    return envelope;
  }

  /** Returns whether the body of the message goes to the blob log before a commit. */
  public static boolean isLarge(Envelope envelope) {
    return envelope.blob() == null && envelope.body().length > Limits.INLINE_BYTES;
  }
}
