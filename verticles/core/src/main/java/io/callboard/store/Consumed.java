package io.callboard.store;

import java.util.ArrayList;
import java.util.List;

/**
 * Consumed part of a mailbox: everything before one place, and stretches beyond it, where messages
 * were handled before others that wait. Immutable.
 *
 * <p>A place is a segment and an index in it; what follows the last message of a segment is index 0
 * of the next sequence number, also where the next segment is of another {@link Generation}.
 *
 * @param next the first segment that is not wholly consumed
 * @param offset how many messages of that segment are consumed, from its first on
 * @param beyond in order, not touching each other, behind a message that is not consumed
 */
public record Consumed(long next, int offset, List<Stretch> beyond) {
  /** The consumed part of an unread mailbox: nothing. */
  public static final Consumed NOTHING = new Consumed(0, 0, List.of());

  /** Messages from one place to before another. */
  public record Stretch(long from, int fromIndex, long to, int toIndex) {
    /** Returns the stretch of one message, the last of its segment or not. */
    public static Stretch of(long sequence, int index, boolean last) {
      return last
          ? new Stretch(sequence, index, sequence + 1, 0)
          : new Stretch(sequence, index, sequence, index + 1);
    }

    /** Returns whether {@code other} begins where this stretch ends, so that both can be one. */
    public boolean isFollowedBy(Stretch other) {
      return to == other.from && toIndex == other.fromIndex;
    }

    /**
     * Returns the stretch from the start of this one to the end of {@code other}, which must follow
     * it.
     */
    public Stretch and(Stretch other) {
      return new Stretch(from, fromIndex, other.to, other.toIndex);
    }

    private boolean contains(long sequence, int index) {
      return compare(from, fromIndex, sequence, index) <= 0
          && compare(sequence, index, to, toIndex) < 0;
    }
  }

  /** Creates a part; the stretches are copied. */
  public Consumed {
    beyond = List.copyOf(beyond);
  }

  private static int compare(long sequence, int index, long other, int otherIndex) {
    return sequence == other ? Integer.compare(index, otherIndex) : Long.compare(sequence, other);
  }

  /** Returns this part with {@code more}, which must not be consumed yet. */
  public Consumed with(Stretch more) {
    if (beyond.isEmpty() && more.from == next && more.fromIndex == offset) {
      return new Consumed(more.to, more.toIndex, List.of());
    }
    List<Stretch> joined = new ArrayList<>(beyond.size() + 2);
    Stretch last = new Stretch(next, offset, next, offset);
    boolean added = false;
    for (Stretch each : beyond) {
      if (!added && compare(more.from, more.fromIndex, each.from, each.fromIndex) < 0) {
        last = join(joined, last, more);
        added = true;
      }
      last = join(joined, last, each);
    }
    if (!added) {
      last = join(joined, last, more);
    }
    joined.add(last);
    Stretch first = joined.remove(0);
    return new Consumed(first.to, first.toIndex, joined);
  }

  private static Stretch join(List<Stretch> done, Stretch last, Stretch more) {
    if (last.isFollowedBy(more)) {
      return last.and(more);
    }
    done.add(last);
    return more;
  }

  /** Returns this part with everything before that place. */
  public Consumed upTo(long to, int toIndex) {
    if (compare(to, toIndex, next, offset) <= 0) {
      return this;
    }
    long end = to;
    int endIndex = toIndex;
    List<Stretch> rest = new ArrayList<>();
    for (Stretch each : beyond) {
      if (compare(each.from, each.fromIndex, end, endIndex) > 0) {
        rest.add(each);
      } else if (compare(end, endIndex, each.to, each.toIndex) < 0) {
        end = each.to;
        endIndex = each.toIndex;
      }
    }
    return new Consumed(end, endIndex, rest);
  }

  /** Returns whether that message is consumed. */
  public boolean contains(long sequence, int index) {
    return compare(sequence, index, next, offset) < 0
        || beyond.stream().anyMatch(stretch -> stretch.contains(sequence, index));
  }

  /** Returns whether all of that segment is consumed. */
  public boolean containsAll(long sequence) {
    return sequence < next
        || beyond.stream()
            .anyMatch(
                stretch ->
                    stretch.contains(sequence, 0)
                        && compare(sequence + 1, 0, stretch.to, stretch.toIndex) <= 0);
  }

  /**
   * Returns the first segment from {@code sequence} on that is not wholly consumed, so far as is
   * known.
   */
  public long from(long sequence) {
    long at = Math.max(sequence, next);
    for (Stretch stretch : beyond) {
      if (stretch.contains(at, 0)) {
        at = stretch.to;
      }
    }
    return at;
  }
}
