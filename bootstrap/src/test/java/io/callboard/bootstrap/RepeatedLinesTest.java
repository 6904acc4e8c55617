package io.callboard.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.net.ConnectException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Test that lines which libraries repeat while ZooKeeper is away are in the log once. */
class RepeatedLinesTest {
  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);
  private final LoggerContext context = new LoggerContext();
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final Logger client = context.getLogger("org.apache.zookeeper.ClientCnxn");

  @BeforeEach
  void begin() {
    context.addTurboFilter(new RepeatedLines(now::get));
    Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
    root.setLevel(Level.WARN);
    lines.setContext(context);
    lines.start();
    root.addAppender(lines);
  }

  @Test
  void anAttemptThatFailsAsTheLastOneIsLoggedOnceInFiveMinutesAndThenWithTheNumberOfOthers() {
    for (int attempt = 0; attempt < 35; attempt++) {
      client.warn("Session {} for server a", attempt, new ConnectException("refused"));
    }
    assertThat(lines.list).hasSize(1);
    assertThat(lines.list.get(0).getThrowableProxy()).isNotNull();
    now.addAndGet(TimeUnit.MINUTES.toNanos(5));
    client.warn("Session {} for server a", 35, new ConnectException("refused"));
    assertThat(lines.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .containsExactly(
            "Session 0 for server a",
            "34 repetitions of the next line were suppressed since it was last logged",
            "Session 35 for server a");
  }

  @Test
  void anIdOrFigureInTheTextMakesNoOtherLine() {
    client.warn("have not heard from server in 14500ms for session id 0x100002bef3a0003");
    client.warn("have not heard from server in 14ms for session id 0x100002bef3a0002");
    assertThat(lines.list).hasSize(1);
  }

  @Test
  void anotherTextLevelOrExceptionIsAnotherLine() {
    client.warn("one");
    client.warn("two");
    client.error("two");
    client.error("two", new IOException());
    client.error("two", new ConnectException());
    assertThat(lines.list).hasSize(5);
  }

  @Test
  void linesOfCallboardStayAndLinesThatAreOffAreNotCounted() {
    Logger own = context.getLogger("io.callboard.grid.GridMonitor");
    own.warn("a");
    own.warn("a");
    assertThat(lines.list).hasSize(2);
    client.info("off");
    now.addAndGet(TimeUnit.MINUTES.toNanos(5));
    client.info("off");
    assertThat(lines.list).hasSize(2);
  }
}
