package io.callboard.internal.readahead;

import io.callboard.codecs.BlobRef;
import io.callboard.codecs.Envelope;
import io.callboard.store.Consumed;
import io.callboard.store.Consumed.Stretch;
import io.callboard.store.MailPlace;
import org.jspecify.annotations.Nullable;

/**
 * Message read from a durable mailbox.
 *
 * @param after the end of the mail before it in the mailbox: its segment, or the number that was
 *     expected in its place
 * @param sequence of its segment
 * @param index in its segment
 * @param last whether it is the last one there
 * @param envelope null if the segment cannot be read
 * @param segment the whole segment if it cannot be read; else null
 * @param broken why it cannot be handled; null if it can
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

  /** Stands for all messages of a segment that cannot be read. */
  public static MailboxMessage unreadable(
      long after, long sequence, byte[] segment, Throwable why) {
    return new MailboxMessage(after, sequence, 0, true, null, segment, why);
  }

  /** Returns its size in bytes, approximately. */
  int size() {
    return (envelope == null ? 0 : envelope.held()) + (segment == null ? 0 : segment.length);
  }

  /** Returns the maximum number of operations that a commit needs to consume it. */
  public int operations() {
    BlobRef blob = blob();
    return blob == null ? 1 : 2 + blob.parts();
  }

  /** Returns the reference to its body if that is in the blob log; else null. */
  public @Nullable BlobRef blob() {
    return envelope == null ? null : envelope.blob();
  }

  /** Returns a copy without the body that was read from the blob log. */
  public MailboxMessage withoutBlob() {
    return envelope == null || envelope.blob() == null ? this : with(envelope.withoutBlob());
  }

  /** Returns a copy with more or less of the body in memory. */
  public MailboxMessage with(Envelope other) {
    return new MailboxMessage(after, sequence, index, last, other, segment, broken);
  }

  /** Returns a copy that cannot be handled. */
  public MailboxMessage broken(Throwable cause) {
    return new MailboxMessage(after, sequence, index, last, envelope, segment, cause);
  }

  /** Returns the number of the durable timer whose message it is; 0 if there is none. */
  public long timer() {
    return envelope == null ? 0 : envelope.handling().timer();
  }

  /** Returns the range of the mailbox that is consumed with it. */
  public Stretch stretch() {
    Stretch here = Stretch.of(sequence, index, last);
    return index > 0 ? here : new Stretch(after, 0, here.to(), here.toIndex());
  }

  /**
   * Returns its position in the mailbox.
   *
   * @param settled what is consumed for good
   */
  public MailPlace place(Consumed settled) {
    return new MailPlace(sequence, index, stretch(), settled.next(), settled.offset());
  }

  /** Returns whether this message comes before {@code other} in the mailbox. */
  boolean isBefore(MailboxMessage other) {
    return sequence < other.sequence || (sequence == other.sequence && index < other.index);
  }

  public String id() {
    return sequence + "-" + index;
  }
}
