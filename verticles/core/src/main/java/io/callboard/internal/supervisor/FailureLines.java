package io.callboard.internal.supervisor;

import io.callboard.codecs.BoundedMap;
import io.callboard.supervision.Causes;
import java.util.Collections;
import java.util.Set;

/**
 * Choice of the failures of one child that are logged, and of those with their stack: the first
 * {@value #FIRST} of a burst, then each whose number is a power of two, and always one of a new
 * kind. A kind is the class of a cause and the frame that threw it; its stack is logged once. A
 * machine without I/O. Not thread-safe.
 */
final class FailureLines {
  /** Number of failures of a burst that are all logged. */
  static final int FIRST = 3;

  /** Limit of the remembered kinds whose stack was logged; the newest are kept. */
  static final int MOST_KINDS = 16;

  /** Time without a failure, in nanoseconds, that ends a burst. */
  static final long QUIET_NANOS = 60_000_000_000L;

  private final Set<String> kinds = Collections.newSetFromMap(BoundedMap.ofNewest(MOST_KINDS));
  private long inBurst;
  private long lastNs;

  /**
   * Decision about a failure.
   *
   * @param written whether there is a line
   * @param stack whether it comes with the stack
   * @param number in its burst, beginning with 1
   */
  record Line(boolean written, boolean stack, long number) {}

  Line next(Throwable cause, long nowNs) {
    inBurst = inBurst > 0 && nowNs - lastNs < QUIET_NANOS ? inBurst + 1 : 1;
    lastNs = nowNs;
    boolean isNew = kinds.add(kind(cause));
    boolean written = isNew || inBurst <= FIRST || Long.bitCount(inBurst) == 1;
    return new Line(written, isNew, inBurst);
  }

  private static String kind(Throwable cause) {
    StackTraceElement[] frames = Causes.frames(cause);
    return cause.getClass().getName() + (frames.length == 0 ? "" : " at " + frames[0]);
  }
}
