package io.callboard.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Test that a logger's lines are seen while it is captured, and that its configuration is restored.
 */
class LogCaptureTest {
  private static final Logger log = LoggerFactory.getLogger(LogCaptureTest.class);

  @Test
  void seesWhatIsSaidAndWhatIsNot() {
    try (LogCapture capture = LogCapture.of(LogCaptureTest.class)) {
      log.warn("the {} is broken", "door");
      log.debug("hidden");
      assertThat(capture.expect(Level.WARN, "door is broken").logger())
          .isEqualTo(LogCaptureTest.class.getName());
      assertThat(capture.lines()).hasSize(1);
      capture.expectNothing(Level.ERROR);
      assertThatThrownBy(() -> capture.expectNothing(Level.INFO))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("the door is broken");
      assertThatThrownBy(() -> capture.expect(Duration.ofMillis(50), Level.ERROR, "door"))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("no ERROR with \"door\" was logged by")
          .hasMessageContaining("the door is broken");
    }
  }

  @Test
  void seesWhatIsSaidLaterAndLowerAndLeavesNothingBehind() throws Exception {
    boolean before = log.isTraceEnabled();
    try (LogCapture capture = LogCapture.of("io.callboard.testkit", Level.TRACE)) {
      Thread later = new Thread(() -> log.trace("in another thread"));
      later.start();
      capture.expect(Level.TRACE, "another thread");
      later.join();
    }
    assertThat(log.isTraceEnabled()).isEqualTo(before).isFalse();
  }

  @Test
  void linesBeyondThoseThatAreKeptStillCount() {
    try (LogCapture capture = LogCapture.of(LogCaptureTest.class)) {
      for (int i = 0; i < LogCapture.MOST; i++) {
        log.info("line");
      }
      capture.expectNothing(Level.WARN);
      log.info("line");
      capture.expectNothing(Level.WARN);
      log.warn("the last");
      log.info("line");
      assertThat(capture.lines()).hasSize(LogCapture.MOST);
      assertThatThrownBy(() -> capture.expectNothing(Level.WARN))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("logged [] and 3 more, up to WARN");
      capture.expectNothing(Level.ERROR);
    }
  }

  @Test
  void levelsThatAreNotCapturedCannotBeAskedFor() {
    try (LogCapture capture = LogCapture.of(LogCaptureTest.class)) {
      log.debug("said");
      assertThatThrownBy(() -> capture.expectNothing(Level.DEBUG))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("INFO and above only, not DEBUG");
      assertThatThrownBy(() -> capture.expect(Level.DEBUG, "said"))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void java_util_loggingWorksToo() {
    List<LogCapture.Line> lines = new ArrayList<>();
    String name = LogCaptureTest.class.getName() + ".jul";
    java.util.logging.Logger logger = java.util.logging.Logger.getLogger(name);
    logger.setUseParentHandlers(false);
    Runnable end = new JulTap().open(name, Level.DEBUG, lines::add);
    LogRecord record = new LogRecord(java.util.logging.Level.WARNING, "the {0} is broken");
    record.setLoggerName(name);
    record.setParameters(new Object[] {"door"});
    logger.log(record);
    logger.fine("seen");
    logger.finest("hidden");
    end.run();
    logger.severe("after the end");
    assertThat(lines)
        .containsExactly(
            new LogCapture.Line(Level.WARN, name, "the door is broken"),
            new LogCapture.Line(Level.DEBUG, name, "seen"));
    assertThat(logger.getLevel()).isNull();
  }
}
