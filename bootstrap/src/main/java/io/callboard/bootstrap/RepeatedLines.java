package io.callboard.bootstrap;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;

/**
 * A filter of Logback that lets through what libraries repeat once in {@value #WINDOW_MINUTES}
 * minutes: ZooKeeper's client logs each attempt to reach a server that is away, with its stack. Two
 * lines are the same if logger, level, text without its parameters, and class of the exception are.
 * The next one that passes is preceded by how many were left out. What Callboard itself logs is not
 * touched. Thread-safe.
 */
public final class RepeatedLines extends TurboFilter {
  static final int WINDOW_MINUTES = 5;

  /** Lines that are known to repeat; of more, those that came last. */
  static final int MOST = 256;

  private static final String OWN = "io.callboard";
  private static final long WINDOW_NANOS = TimeUnit.MINUTES.toNanos(WINDOW_MINUTES);

  private final LongSupplier nanoTime;
  private final Map<Line, Seen> seen =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Line, Seen> eldest) {
          return size() > MOST;
        }
      };

  private record Line(String logger, int level, String text, String thrown) {}

  private static final class Seen {
    long sinceNs;
    long leftOut;
  }

  /** As Logback makes it. */
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
      return FilterReply.NEUTRAL; // also asked whether a level is on
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

  /** Some put parameters into the text themselves: ids and figures make no other line. */
  private static String pattern(String format) {
    return format.replaceAll("[0-9a-fA-F-]*[0-9][0-9a-fA-Fx-]*", "#");
  }

  /** How many were left out before this one; negative if it is left out, too. */
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
