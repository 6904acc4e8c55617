package io.callboard.testkit;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.function.Consumer;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Tap of Logback, by an appender of its own. */
final class LogbackTap implements LogCapture.Tap {
  /** Distance between two levels of Logback; the lowest is half a step. */
  private static final int STEP = 10_000;

  @Override
  public Runnable open(String name, Level lowest, Consumer<LogCapture.Line> taker) {
    Logger logger = (Logger) LoggerFactory.getLogger(name);
    ch.qos.logback.classic.Level before = logger.getLevel();
    Taker appender = new Taker(lowest, taker);
    appender.setContext((LoggerContext) LoggerFactory.getILoggerFactory());
    appender.start();
    logger.addAppender(appender);
    ch.qos.logback.classic.Level wanted = ch.qos.logback.classic.Level.convertAnSLF4JLevel(lowest);
    if (!wanted.isGreaterOrEqual(logger.getEffectiveLevel())) {
      logger.setLevel(wanted);
    }
    return () -> {
      boolean unused = logger.detachAppender(appender);
      appender.stop();
      logger.setLevel(before);
    };
  }

  private static final class Taker extends AppenderBase<ILoggingEvent> {
    private final Level lowest;
    private final Consumer<LogCapture.Line> taker;

    Taker(Level lowest, Consumer<LogCapture.Line> taker) {
      this.lowest = lowest;
      this.taker = taker;
    }

    @Override
    protected void append(ILoggingEvent event) {
      Level level = Level.intToLevel(event.getLevel().toInt() / STEP * 10);
      if (level.toInt() >= lowest.toInt()) {
        taker.accept(
            new LogCapture.Line(level, event.getLoggerName(), event.getFormattedMessage()));
      }
    }
  }
}
