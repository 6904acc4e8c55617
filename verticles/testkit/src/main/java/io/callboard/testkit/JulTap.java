package io.callboard.testkit;

import java.util.function.Consumer;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.slf4j.event.Level;

/** Tap of java.util.logging, by a handler of its own. */
final class JulTap implements LogCapture.Tap {
  @Override
  public Runnable open(String name, Level lowest, Consumer<LogCapture.Line> taker) {
    Logger logger = Logger.getLogger(name);
    java.util.logging.Level before = logger.getLevel();
    Taker handler = new Taker(lowest, taker);
    logger.addHandler(handler);
    java.util.logging.Level wanted = level(lowest);
    if (!logger.isLoggable(wanted)) {
      logger.setLevel(wanted);
    }
    return () -> {
      logger.removeHandler(handler);
      logger.setLevel(before);
    };
  }

  /** Returns the level as which slf4j-jdk14 writes {@code level}. */
  private static java.util.logging.Level level(Level level) {
    return switch (level) {
      case ERROR -> java.util.logging.Level.SEVERE;
      case WARN -> java.util.logging.Level.WARNING;
      case INFO -> java.util.logging.Level.INFO;
      case DEBUG -> java.util.logging.Level.FINE;
      case TRACE -> java.util.logging.Level.FINEST;
    };
  }

  private static Level level(java.util.logging.Level level) {
    for (Level each : Level.values()) {
      if (level.intValue() >= level(each).intValue()) {
        return each;
      }
    }
    return Level.TRACE;
  }

  private static final class Taker extends Handler {
    private final Level lowest;
    private final Consumer<LogCapture.Line> taker;

    Taker(Level lowest, Consumer<LogCapture.Line> taker) {
      this.lowest = lowest;
      this.taker = taker;
      setLevel(java.util.logging.Level.ALL);
      setFormatter(new SimpleFormatter());
    }

    @Override
    public void publish(LogRecord record) {
      Level level = level(record.getLevel());
      if (level.toInt() >= lowest.toInt()) {
        String text = getFormatter().formatMessage(record);
        taker.accept(new LogCapture.Line(level, record.getLoggerName(), text));
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
