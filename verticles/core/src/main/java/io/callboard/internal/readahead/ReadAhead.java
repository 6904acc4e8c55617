package io.callboard.internal.readahead;

import io.callboard.codecs.CodecException;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.Segment;
import io.callboard.store.Consumed;
import io.callboard.store.Generation;
import io.callboard.store.StoreException;
import io.callboard.store.StoredSegment;
import io.callboard.time.Machine;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Read-ahead of one actor's mail: what is in memory ahead of its handling, and what is known of the
 * mail behind it. Bounded: further mail stays in the store. Not thread-safe.
 */
@Machine
public final class ReadAhead {
  /** Messages after which further ones are left in the store for now: some full batches. */
  static final int MOST_MESSAGES = 4_096;

  /** Bytes after which further messages are left in the store for now. */
  static final int MOST_BYTES = 4 << 20;

  private final String label;
  private final Predicate<MailboxMessage> claimed;
  private final PriorityLanes lanes = new PriorityLanes();
  private final PartialSegments half = new PartialSegments();
  private Consumed consumed = Consumed.NOTHING;
  private long next;
  private long expected = -1;
  private boolean mayHaveMore;
  private boolean loads;
  private boolean pushed;
  private long foretold = -1;
  private long awaitedFrom = -1;

  /**
   * @param label names the mailbox in errors
   * @param claimed called with each message found; true if it is being handled already and does not
   *     wait here
   */
  public ReadAhead(String label, Predicate<MailboxMessage> claimed) {
    this.label = label;
    this.claimed = claimed;
  }

  /** Reports that the mailbox is about to be read for {@link #load}. */
  void loads() {
    loads = true;
    mayHaveMore = false;
  }

  /**
   * Begins anew with the first waiting segments. There may be more behind them if a hint has come
   * since {@link #loads}.
   *
   * @return the number of messages in them that are consumed already
   * @throws IllegalStateException if there is a gap: the store has lost mail
   */
  public int load(Consumed before, List<StoredSegment> segments) {
    lanes.clear();
    half.clear();
    consumed = before;
    next = before.next();
    int skipped = take(segments, IllegalStateException::new);
    foretold = -1;
    awaitedFrom = -1;
    mayHaveMore |= !loads || !segments.isEmpty();
    loads = false;
    return skipped;
  }

  /**
   * Adds segments read from {@link #next()} on.
   *
   * @return the number of messages in them that are consumed already
   * @throws StoreException of kind {@code CONFLICT} if there is a gap: another owner has consumed
   *     what was there, or the next life, which reads its record again, finds it lost
   */
  int read(List<StoredSegment> segments) {
    int skipped = take(segments, StoreException::conflict);
    mayHaveMore |= !segments.isEmpty();
    return skipped;
  }

  private int take(List<StoredSegment> segments, Function<String, RuntimeException> gap) {
    int skipped = 0;
    for (StoredSegment segment : segments) {
      next = consumed.from(next);
      if (!Generation.follows(segment.sequence(), next)) {
        throw gap.apply(
            "%s: segment %d follows where %d must".formatted(label, segment.sequence(), next));
      }
      String what = "segment %d of %s".formatted(segment.sequence(), label);
      try {
        skipped += add(segment.sequence(), Segment.decode(what, segment.bytes()));
      } catch (CodecException e) {
        put(MailboxMessage.unreadable(next, segment.sequence(), segment.bytes(), e));
      }
      next = segment.sequence() + 1;
    }
    next = consumed.from(next);
    return skipped;
  }

  private int add(long sequence, List<Envelope> envelopes) {
    int skipped = 0;
    for (int i = 0; i < envelopes.size(); i++) {
      if (consumed.contains(sequence, i)) {
        skipped++;
      } else {
        put(MailboxMessage.of(next, sequence, i, i == envelopes.size() - 1, envelopes.get(i)));
      }
    }
    half.found(sequence, skipped);
    return skipped;
  }

  /** Adds a message, with its large body unless memory has enough of them. */
  private void put(MailboxMessage mailboxMessage) {
    if (claimed.test(mailboxMessage)) {
      return;
    }
    lanes.addLast(lanes.bytes() > MOST_BYTES ? mailboxMessage.withoutBlob() : mailboxMessage);
  }

  /**
   * Takes a hint of a segment.
   *
   * @return whether it is not known yet
   */
  boolean hint(long sequence) {
    if (sequence < next) {
      return false;
    }
    mayHaveMore = true;
    return true;
  }

  /**
   * Takes a hint of a segment that a commit under way to the mailbox will report, so it need not be
   * read for.
   */
  void expect(long sequence) {
    expected = Math.max(expected, sequence);
  }

  /**
   * Takes a segment that this node has just put into the mailbox: if it is the next, it is not
   * read.
   */
  void delivered(long sequence, List<Envelope> envelopes) {
    if (sequence == next && lanes.size() <= MOST_MESSAGES && lanes.bytes() <= MOST_BYTES) {
      int unused = add(sequence, envelopes);
      next++;
      mayHaveMore |= expected >= next;
    } else {
      mayHaveMore |= sequence >= next;
    }
  }

  /**
   * Takes a segment that another node says it has put into the mailbox: if it is the next, it is
   * not read. A push is in time if it comes before its segment was read.
   *
   * @param reading whether a read is under way, which will read the segment, too
   * @return whether it was taken
   */
  boolean pushed(long sequence, List<Envelope> envelopes, boolean reading) {
    if (sequence < next) {
      return false;
    }
    pushed = true;
    if (reading) {
      mayHaveMore = true;
      return false;
    }
    long before = next;
    delivered(sequence, envelopes);
    return next > before;
  }

  /**
   * Takes a hint of a segment from the store. Where pushes come, the segment's push is awaited
   * before the mail is read.
   *
   * @return whether a wait begins, at whose end {@link #waited} is called
   */
  boolean foretold(long sequence) {
    if (sequence < next) {
      return false;
    }
    if (!pushed) {
      mayHaveMore = true;
      return false;
    }
    foretold = Math.max(foretold, sequence);
    if (awaitedFrom >= 0) {
      return false;
    }
    awaitedFrom = next;
    return true;
  }

  /**
   * Ends a wait. If no push came, the mail is read, and no push is awaited until one comes in time
   * again.
   *
   * @return whether the next wait begins
   */
  boolean waited() {
    boolean came = next > awaitedFrom;
    boolean missing = awaitedFrom >= 0 && foretold >= next;
    awaitedFrom = missing && came ? next : -1;
    if (missing && !came) {
      pushed = false;
      foretold = -1;
      mayHaveMore = true;
    }
    return missing && came;
  }

  /** Returns whether there may be further mail, which is to be read. */
  public boolean hasHint() {
    return mayHaveMore;
  }

  /** Clears the hint before the mail is read: there is no more, until the next hint. */
  public void takeHint() {
    mayHaveMore = false;
  }

  public boolean mayHaveMore() {
    return mayHaveMore || foretold >= next;
  }

  /** Returns the number of the segment after those in memory. */
  public long next() {
    return next;
  }

  /** Returns the consumed messages of the segments that were read and remain. */
  public PartialSegments half() {
    return half;
  }

  /** Returns the mail in memory. */
  public PriorityLanes lanes() {
    return lanes;
  }
}
