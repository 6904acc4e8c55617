package io.callboard.internal.metrics;

import io.callboard.admin.MailboxStatus;
import io.callboard.store.Generation;
import io.callboard.store.StoredMail;
import io.callboard.store.StoredSegment;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** Figures behind {@link MailboxStatus}: written on the durable context, read from any thread. */
public final class MailboxMeter {
  private final Arrivals arrivals = new Arrivals();
  private final Rate handled;
  private final LongAdder parked = new LongAdder();
  private volatile long messages;
  private volatile long segments;
  private volatile long oldestMs = -1;
  private volatile int attempts;

  /**
   * @param nowNanos of a monotonic clock
   */
  public MailboxMeter(long nowNanos) {
    this.handled = new Rate(nowNanos);
  }

  /**
   * Reports that the owner read the mailbox anew.
   *
   * @param next the first segment that is not consumed
   * @param nowMs of the wall clock, for segments without a time in the store
   */
  public void loaded(long next, StoredMail waiting, long nowMs) {
    List<StoredSegment> mail = waiting.segments();
    arrivals.clear();
    read(mail, nowMs);
    long behind = waiting.waiting() - mail.size();
    if (behind > 0) {
      long last = mail.isEmpty() ? next - 1 : mail.get(mail.size() - 1).sequence();
      arrivals.add(last + behind, nowMs);
    }
    arrivals.consumed(next);
  }

  public void read(List<StoredSegment> mail, long nowMs) {
    for (StoredSegment segment : mail) {
      Instant added = segment.added();
      arrivals.add(segment.sequence(), added == null ? nowMs : added.toEpochMilli());
    }
  }

  /** Reports a segment that the owner was notified of, or put there. */
  public void arrived(long sequence, long nowMs) {
    if (sequence != Long.MAX_VALUE) {
      arrivals.add(sequence, nowMs);
    }
  }

  /**
   * @param next the first segment that is not consumed
   */
  public void consumed(long next) {
    arrivals.consumed(next);
  }

  public void handled(int count, long nowNanos) {
    handled.add(count, nowNanos);
  }

  public void parked() {
    parked.increment();
  }

  /**
   * Publishes figures for readers.
   *
   * @param inMemory messages
   * @param unread the first segment that is not in memory
   * @param tried attempts of the present message
   */
  public void publish(int inMemory, long unread, int tried) {
    messages = inMemory;
    segments = behind(unread);
    attempts = tried;
    oldestMs = inMemory == 0 && segments == 0 ? -1 : arrivals.oldestMs();
  }

  private long behind(long unread) {
    long last = arrivals.last();
    if (last < unread) {
      return 0;
    }
    // of an earlier generation it is not known how many are left: then those of the last count
    return Generation.of(last) == Generation.of(unread)
        ? last - unread + 1
        : Generation.number(last) + 1;
  }

  /** Returns the messages in the owner's memory. */
  public long messages() {
    return messages;
  }

  /** Returns the least number of waiting messages. */
  public long depth() {
    return messages + segments;
  }

  /**
   * Returns when the oldest message arrived, in milliseconds of the wall clock; -1 if none waits.
   */
  public long oldestMs() {
    return oldestMs;
  }

  /** Returns the messages handled per second over the last minute. */
  public double perSecond(long nowNanos) {
    return handled.perSecond(nowNanos);
  }

  public MailboxStatus status(long nowNanos) {
    long oldest = oldestMs;
    return new MailboxStatus(
        messages,
        segments,
        oldest < 0 ? null : Instant.ofEpochMilli(oldest),
        handled.perSecond(nowNanos),
        attempts,
        parked.sum());
  }
}
