package io.callboard.turn;

import io.callboard.codecs.CodecException;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.Segment;
import io.callboard.store.ActorRecord;
import io.callboard.store.Generation;
import io.callboard.store.StoredSegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The mail of one actor that is in memory, ahead of its handling, and what is known of the mail
 * behind it. Bounded: what is too much stays in the store. Not thread-safe.
 */
final class MailAhead {
  /** Messages after which further ones are left in the store for now. */
  static final int MOST_MESSAGES = 8 * TurnLoop.BATCH;

  /** Bytes after which they are. */
  static final int MOST_BYTES = 4 << 20;

  private final String label;
  private final Deque<Input> mail = new ArrayDeque<>();
  private long bytes;
  private long next;
  private long expected = -1;
  private boolean mayHaveMore;

  /**
   * @param label names the mailbox in errors
   */
  MailAhead(String label) {
    this.label = label;
  }

  /** Begins anew with the first segments that wait. */
  void load(ActorRecord record, List<StoredSegment> segments) {
    mail.clear();
    bytes = 0;
    next = record.next();
    take(segments, record.offset());
    mayHaveMore = true; // a hint may have come between the reading and this moment
  }

  /**
   * Adds what was read from {@link #next()} on.
   *
   * @throws IllegalStateException if there is a gap: the view was stale
   */
  void read(List<StoredSegment> segments) {
    take(segments, 0);
    mayHaveMore |= !segments.isEmpty();
  }

  private void take(List<StoredSegment> segments, int offset) {
    int skip = offset;
    for (StoredSegment segment : segments) {
      if (!Generation.follows(segment.sequence(), next)) {
        throw new IllegalStateException(
            "%s: segment %d follows where %d must".formatted(label, segment.sequence(), next));
      }
      String what = "segment %d of %s".formatted(segment.sequence(), label);
      try {
        add(segment.sequence(), Segment.decode(what, segment.bytes()), skip);
      } catch (CodecException e) {
        put(new Input(segment.sequence(), 0, true, null, e));
      }
      skip = 0;
      next = segment.sequence() + 1;
    }
  }

  private void add(long sequence, List<Envelope> envelopes, int skip) {
    for (int i = skip; i < envelopes.size(); i++) {
      put(new Input(sequence, i, i == envelopes.size() - 1, envelopes.get(i), null));
    }
  }

  /** With the large message that was handed over, unless memory has enough of them. */
  private void put(Input input) {
    Input kept = bytes > MOST_BYTES ? input.withoutBlob() : input;
    mail.addLast(kept);
    bytes += kept.size();
  }

  /** Whether a segment of that number is news. */
  boolean hint(long sequence) {
    if (sequence < next) {
      return false;
    }
    mayHaveMore = true;
    return true;
  }

  /** The same, but a commit under way to the mailbox will tell, so that need not be asked for. */
  void expect(long sequence) {
    expected = Math.max(expected, sequence);
  }

  /** A segment that this node has just put into the mailbox: if it is the next, it is not read. */
  void delivered(long sequence, List<Envelope> envelopes) {
    if (sequence == next && mail.size() <= MOST_MESSAGES && bytes <= MOST_BYTES) {
      add(sequence, envelopes, 0);
      next++;
      mayHaveMore |= expected >= next;
    } else {
      mayHaveMore |= sequence >= next;
    }
  }

  /** Whether there may be mail behind what is known; not any more, until the next hint. */
  boolean takeHint() {
    boolean hinted = mayHaveMore;
    mayHaveMore = false;
    return hinted;
  }

  boolean mayHaveMore() {
    return mayHaveMore;
  }

  /** The segment that comes after those in memory. */
  long next() {
    return next;
  }

  /** Null if there is none. */
  @Nullable Input first() {
    return mail.peekFirst();
  }

  Input removeFirst() {
    Input first = mail.removeFirst();
    bytes -= first.size();
    return first;
  }

  void putBack(Input input) {
    mail.addFirst(input);
    bytes += input.size();
  }

  int size() {
    return mail.size();
  }
}
