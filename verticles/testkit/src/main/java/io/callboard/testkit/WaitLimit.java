package io.callboard.testkit;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Time limit of one wait of a test. It is there to end a hang, never to measure: on a slow machine
 * the system property {@value #FACTOR} makes all limits of the testkit longer, such as {@code
 * -Dcallboard.testkit.timefactor=4}.
 *
 * <p>When a wait gives up, the standard error says how busy the machine was, for how long the
 * waiting thread was held up at most, and what all threads did. For one thread.
 */
final class WaitLimit {
  /** Factor of all limits, 1 by default. */
  static final String FACTOR = "callboard.testkit.timefactor";

  /** Limit where a test states none. */
  static final Duration LIMIT = Duration.ofSeconds(30);

  private final Duration limit;
  private final long begunNs = System.nanoTime();
  private long longestStopNs;

  private WaitLimit(Duration limit) {
    this.limit = limit;
  }

  /** Begins a wait whose stated limit is stretched by the factor. */
  static WaitLimit of(Duration stated) {
    return new WaitLimit(stretched(stated));
  }

  /** Returns a stated limit, stretched by the factor. */
  static Duration stretched(Duration stated) {
    double factor = Double.parseDouble(System.getProperty(FACTOR, "1"));
    if (!(factor >= 1 && factor <= 1_000)) {
      throw new IllegalArgumentException(
          "system property %s must be between 1 and 1000, not %s".formatted(FACTOR, factor));
    }
    return Duration.ofNanos((long) (stated.toNanos() * factor));
  }

  Duration limit() {
    return limit;
  }

  /** Returns the time that is left, in ns; zero or less if the limit is reached. */
  long leftNs() {
    return limit.toNanos() - (System.nanoTime() - begunNs);
  }

  boolean isOver() {
    return leftNs() <= 0;
  }

  /** Parks the thread, and notices if it goes on later than it should. */
  void pause(Duration length) {
    long before = System.nanoTime();
    LockSupport.parkNanos(length.toNanos());
    slept(System.nanoTime() - before, length);
  }

  /** Notices that the thread was to be parked for a length, and how long that took. */
  void slept(long tookNs, Duration length) {
    longestStopNs = Math.max(longestStopNs, tookNs - length.toNanos());
  }

  /** Reports what the machine and this JVM did when the wait gave up, if it was not a short one. */
  void reportExpiry() {
    if (limit.compareTo(LIMIT) < 0) {
      return; // a short limit states that something does not happen
    }
    StringBuilder report = new StringBuilder();
    report.append(
        String.format(
            Locale.ROOT,
            "gave up after %s: load %.1f on %d processors, the waiting thread was held up for"
                + " %d ms at most; all threads:%n",
            limit,
            ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
            Runtime.getRuntime().availableProcessors(),
            TimeUnit.NANOSECONDS.toMillis(longestStopNs)));
    for (ThreadInfo each : ManagementFactory.getThreadMXBean().dumpAllThreads(true, true)) {
      report.append(each);
    }
    System.err.print(report);
  }
}
