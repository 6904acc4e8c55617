package io.callboard.internal.metrics;

/**
 * Arrival times of the segments of one mailbox, as far as the age of the oldest needs them.
 * Bounded. Not thread-safe.
 */
public final class Arrivals {
  /** Limit of the times that are kept apart. */
  public static final int MOST = 32;

  private static final long TOGETHER_MS = 50;

  private final long[] first = new long[MOST];
  private final long[] cameMs = new long[MOST];
  private int size;
  private long last = -1;

  /** Forgets all times. */
  public void clear() {
    size = 0;
    last = -1;
  }

  /**
   * Reports that a segment, and all before it, is in the mailbox; repeated or late reports have no
   * effect.
   *
   * @param ms of the wall clock
   */
  public void add(long sequence, long ms) {
    if (sequence <= last) {
      return;
    }
    long from = last + 1;
    last = sequence;
    if (size > 0 && ms - cameMs[size - 1] < TOGETHER_MS) {
      return;
    }
    if (size == MOST) {
      thin();
    }
    first[size] = from;
    cameMs[size++] = ms;
  }

  /** Drops every second time: its segments count as old as those before them. */
  private void thin() {
    for (int i = 0; i < MOST / 2; i++) {
      first[i] = first[2 * i];
      cameMs[i] = cameMs[2 * i];
    }
    size = MOST / 2;
  }

  /** Reports that the segments before {@code next} are consumed. */
  public void consumed(long next) {
    int gone = 0;
    while (gone + 1 < size && first[gone + 1] <= next) {
      gone++;
    }
    if (next > last) {
      gone = size;
    }
    System.arraycopy(first, gone, first, 0, size - gone);
    System.arraycopy(cameMs, gone, cameMs, 0, size - gone);
    size -= gone;
  }

  /** Returns the arrival time of the oldest segment; -1 if there is none. */
  public long oldestMs() {
    return size == 0 ? -1 : cameMs[0];
  }

  /** Returns the last known segment; -1 if there is none. */
  public long last() {
    return last;
  }
}
