package io.callboard.soak;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.LoggerFactory;

/** Problems found, including those that the log reports. Thread-safe. */
final class Findings implements AutoCloseable {
  private static final int MOST = 50;

  private final ConcurrentLinkedQueue<String> all = new ConcurrentLinkedQueue<>();
  private final AtomicLong escalations = new AtomicLong();
  private final Logger root = (Logger) LoggerFactory.getLogger("io.callboard");
  private final Level before = root.getLevel();
  private final Lines lines = new Lines();

  private final class Lines extends AppenderBase<ILoggingEvent> {
    @Override
    protected void append(ILoggingEvent line) {
      String text = line.getFormattedMessage();
      if (text.startsWith("failure zone") && text.contains("failed and is started again")) {
        escalations.incrementAndGet();
      } else if (line.getLevel().isGreaterOrEqual(Level.ERROR)
          && !text.contains("failed and is not restarted any more")) {
        add("log: " + text + " " + ThrowableProxyUtil.asString(line.getThrowableProxy()));
      }
    }
  }

  Findings() {
    lines.setContext((LoggerContext) LoggerFactory.getILoggerFactory());
    lines.start();
    root.setLevel(Level.WARN);
    root.addAppender(lines);
  }

  void add(String what) {
    if (all.size() < MOST) {
      all.add(what);
    }
  }

  /** Failures of whole zones so far. */
  long escalations() {
    return escalations.get();
  }

  void expectNone() {
    assertThat(List.copyOf(all)).isEmpty();
  }

  @Override
  public void close() {
    boolean unused = root.detachAppender(lines);
    lines.stop();
    root.setLevel(before);
  }
}
