package io.callboard.internal.link;

import io.callboard.CallboardException;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.MessageType;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Push of new mail of a durable actor to the node that owns the actor, so that the mail need not be
 * read there. Sent once if it can leave at once, else dropped and counted.
 */
public final class Push extends OutgoingMessage {
  /** Limit of the bytes of a pushed segment; a larger one is read from the store. */
  public static final int MOST_BYTES = 32 << 10;

  private static final MessageType TYPE = new MessageType("segment", 1);

  /**
   * @param boot the node that owns the receiver's partition, as its lease says
   * @param epoch of that lease
   * @param sequence of the segment
   * @param segment as it is stored
   * @throws IllegalArgumentException if it has more than {@link #MOST_BYTES}
   */
  public Push(String boot, ActorPath receiver, long epoch, long sequence, byte[] segment) {
    super(boot, receiver, sequence, TYPE, body(epoch, segment));
  }

  private static byte[] body(long epoch, byte[] segment) {
    if (segment.length > MOST_BYTES) {
      throw new IllegalArgumentException(
          "a push has at most %d bytes, not %d".formatted(MOST_BYTES, segment.length));
    }
    return ByteBuffer.allocate(Long.BYTES + segment.length).putLong(epoch).put(segment).array();
  }

  /**
   * Push that has been received.
   *
   * @param from the boot id of the node that put the mail into the mailbox, as it says
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Received(
      ActorPath receiver, long epoch, long sequence, byte[] segment, String from) {
    /**
     * Reads a push.
     *
     * @throws FrameException if {@code message} cannot be one
     */
    public static Received of(IncomingMessage message, String from) {
      ActorPath receiver = message.to();
      int length = message.length() - Long.BYTES;
      if (receiver == null || length < 1 || length > MOST_BYTES || !message.type().equals(TYPE)) {
        throw new FrameException(
            "a push of %d bytes of %s for %s".formatted(length, message.type().name(), receiver));
      }
      long epoch = ByteBuffer.wrap(message.frame()).getLong(message.offset());
      int offset = message.offset() + Long.BYTES;
      byte[] segment = Arrays.copyOfRange(message.frame(), offset, offset + length);
      return new Received(receiver, epoch, message.number(), segment, from);
    }
  }

  @Override
  protected void accepted() {}

  @Override
  protected void refused(CallboardException cause) {}
}
