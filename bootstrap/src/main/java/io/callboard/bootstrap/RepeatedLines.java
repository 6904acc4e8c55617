package io.callboard.bootstrap;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import io.callboard.codecs.BoundedMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;

/**
 * Logback filter that lets a repeated line of a library through once in {@value #WINDOW_MINUTES}
 * minutes: ZooKeeper's client, for instance, logs each attempt to reach a server that is away, with
 * a stack trace. Two lines are equal if logger, level, text without parameters and class of the
 * exception are. The next line that passes is preceded by the number of those left out. Callboard's
 * own lines are not filtered. Thread-safe.
 */
public final class RepeatedLines extends TurboFilter {
  static final int WINDOW_MINUTES = 5;

  /** Maximum number of remembered lines; beyond it the oldest are forgotten. */
  static final int MOST = 256;

  private static final String OWN = "io.callboard";
  private static final long WINDOW_NANOS = TimeUnit.MINUTES.toNanos(WINDOW_MINUTES);

  private final LongSupplier nanoTime;
  private final Map<Line, Seen> seen = BoundedMap.ofRecent(MOST);

  private record Line(String logger, int level, String text, String thrown) {}

  private static final class Seen {
    long sinceNs;
    long leftOut;
  }

  /** Creates the filter, as Logback does. */
  public RepeatedLines() {
    this(System::nanoTime);
  }

  RepeatedLines(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  @Override
  public FilterReply decide(
      @Nullable Marker marker,
      Logger logger,
      Level level,
      @Nullable String format,
      Object @Nullable [] parameters,
      @Nullable Throwable thrown) {
    if (format == null
        || logger.getName().startsWith(OWN)
        || !level.isGreaterOrEqual(logger.getEffectiveLevel())) {
      return FilterReply.NEUTRAL; // Logback also asks whether a level is enabled
    }
    Line line =
        new Line(
            logger.getName(),
            level.toInt(),
            pattern(format),
            thrown == null ? "" : thrown.getClass().getName());
    long leftOut = passes(line);
    if (leftOut > 0) {
      logger.warn(
          "{} repetitions of the next line were suppressed since it was last logged", leftOut);
    }
    return leftOut < 0 ? FilterReply.DENY : FilterReply.NEUTRAL;
  }

  /** Returns the text without ids and figures, which some libraries put into it themselves. */
  private static String pattern(String format) {
    return format.replaceAll("[0-9a-fA-F-]*[0-9][0-9a-fA-Fx-]*", "#");
  }

  /** Returns how many lines were left out before this one; negative if it is left out, too. */
  private synchronized long passes(Line line) {
    long nowNs = nanoTime.getAsLong();
    Seen before = seen.get(line);
    if (before != null && nowNs - before.sinceNs < WINDOW_NANOS) {
      before.leftOut++;
      return -1;
    }
    Seen now = new Seen();
    now.sinceNs = nowNs;
    seen.put(line, now);
    return before == null ? 0 : before.leftOut;
  }
}
