package io.callboard.internal.zone;

import io.callboard.internal.metrics.Histogram;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** Counts of a zone; written and read by any thread. */
final class ZoneMeter {
  /** Slices that wait for a thread now. */
  final AtomicInteger waiting = new AtomicInteger();

  /** Slices that were run. */
  final LongAdder tasks = new LongAdder();

  /** Time of the slices that were run, in nanoseconds. */
  final LongAdder busy = new LongAdder();

  /** Time from the request of a slice to its beginning, in nanoseconds. */
  final Histogram waits = Histogram.ofShortNanos();

  /** Slices that waited beyond the bound of the queue. */
  final LongAdder overflowed = new LongAdder();

  /** Slices that an executor given in code refused, and that were offered again. */
  final LongAdder rejected = new LongAdder();

  /** Times that a thread was blocked. */
  final LongAdder blockages = new LongAdder();
}
