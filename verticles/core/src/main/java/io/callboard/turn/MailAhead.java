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
  static final int MOST_MESSAGES = 8 * Batch.MOST;

  /** Bytes after which they are. */
  static final int MOST_BYTES = 4 << 20;

  private final String label;
  private final Deque<Input> mail = new ArrayDeque<>();
  private long bytes;
  private long next;
  private long expected = -1;
  private boolean mayHaveMore;
  private boolean pushed;
  private long foretold = -1;
  private long awaitedFrom = -1;

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
    foretold = -1;
    awaitedFrom = -1;
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
        put(Input.unreadable(segment.sequence(), segment.bytes(), e));
      }
      skip = 0;
      next = segment.sequence() + 1;
    }
  }

  private void add(long sequence, List<Envelope> envelopes, int skip) {
    for (int i = skip; i < envelopes.size(); i++) {
      put(Input.of(sequence, i, i == envelopes.size() - 1, envelopes.get(i)));
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

  /**
   * A segment that another node says it has put into the mailbox: if it is the next, it is not
   * read. In time are those that come before their segment was read.
   *
   * @param reading whether a read is under way: then it will be read too
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
   * The store tells of a segment. Where pushes come, this one's is awaited before the mail is read.
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
   * A wait has ended. If nothing came what is there is read, and no push is awaited until one comes
   * in time again.
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

  /** Whether there may be mail behind what is known; not any more, until the next hint. */
  boolean takeHint() {
    boolean hinted = mayHaveMore;
    mayHaveMore = false;
    return hinted;
  }

  boolean mayHaveMore() {
    return mayHaveMore || foretold >= next;
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
