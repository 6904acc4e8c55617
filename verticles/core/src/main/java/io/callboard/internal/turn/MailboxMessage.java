package io.callboard.internal.turn;

import io.callboard.codecs.BlobRef;
import io.callboard.codecs.Envelope;
import io.callboard.store.Consumed;
import io.callboard.store.Consumed.Stretch;
import io.callboard.store.MailPlace;
import org.jspecify.annotations.Nullable;

/**
 * A message read from a durable mailbox.
 *
 * @param after where what comes before it in the mailbox ends: its segment, or the number that was
 *     expected in its place
 * @param sequence of its segment
 * @param index in its segment
 * @param last whether it is the last one there
 * @param envelope null if the segment cannot be read
 * @param segment all of it if it cannot be read; else null
 * @param broken why; null if it can
 */
@SuppressWarnings("ArrayRecordComponent")
public record MailboxMessage(
    long after,
    long sequence,
    int index,
    boolean last,
    @Nullable Envelope envelope,
    byte @Nullable [] segment,
    @Nullable Throwable broken) {

  public static MailboxMessage of(
      long after, long sequence, int index, boolean last, Envelope envelope) {
    return new MailboxMessage(after, sequence, index, last, envelope, null, null);
  }

  /** In place of all messages of a segment that cannot be read. */
  public static MailboxMessage unreadable(
      long after, long sequence, byte[] segment, Throwable why) {
    return new MailboxMessage(after, sequence, 0, true, null, segment, why);
  }

  /** About what it holds, in bytes. */
  int size() {
    return (envelope == null ? 0 : envelope.held()) + (segment == null ? 0 : segment.length);
  }

  /** Operations that a commit needs to consume it, at most. */
  int operations() {
    BlobRef blob = blob();
    return blob == null ? 1 : 2 + blob.parts();
  }

  /** Where its body is stored, if not with it. */
  public @Nullable BlobRef blob() {
    return envelope == null ? null : envelope.blob();
  }

  /** The same without what the blob log holds of it. */
  MailboxMessage withoutBlob() {
    return envelope == null || envelope.blob() == null ? this : with(envelope.withoutBlob());
  }

  /** The same message with more or less of its body in memory. */
  MailboxMessage with(Envelope other) {
    return new MailboxMessage(after, sequence, index, last, other, segment, broken);
  }

  /** The same, which cannot be handled. */
  MailboxMessage broken(Throwable cause) {
    return new MailboxMessage(after, sequence, index, last, envelope, segment, cause);
  }

  /** The number of the durable timer that it is of; 0 if it is of none. */
  public long timer() {
    return envelope == null ? 0 : envelope.handling().timer();
  }

  /** What is consumed with it. */
  public Stretch stretch() {
    Stretch here = Stretch.of(sequence, index, last);
    return index > 0 ? here : new Stretch(after, 0, here.to(), here.toIndex());
  }

  /**
   * @param settled what is consumed for good
   */
  MailPlace place(Consumed settled) {
    return new MailPlace(sequence, index, stretch(), settled.next(), settled.offset());
  }

  /** Whether it comes before {@code other} in the mailbox. */
  boolean isBefore(MailboxMessage other) {
    return sequence < other.sequence || (sequence == other.sequence && index < other.index);
  }

  public String id() {
    return sequence + "-" + index;
  }
}
