package io.callboard.testkit.failure;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.callboard.ActorRef;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Test of the log of a handler that keeps failing, and of its guard. */
class FailureLogTest extends GuardStage {
  /** Appender that keeps lines with their exceptions. */
  private static final class Lines extends AppenderBase<ILoggingEvent> implements AutoCloseable {
    final List<ILoggingEvent> all = new CopyOnWriteArrayList<>();
    private final Logger logger;

    Lines(String name) {
      logger = (Logger) LoggerFactory.getLogger(name);
      setContext(logger.getLoggerContext());
      start();
      logger.addAppender(this);
    }

    @Override
    protected void append(ILoggingEvent line) {
      all.add(line);
    }

    List<ILoggingEvent> with(String text) {
      return all.stream().filter(line -> line.getFormattedMessage().contains(text)).toList();
    }

    @Override
    public void close() {
      logger.detachAppender(this);
      stop();
    }
  }

  @Test
  void aHandlerThatKeepsFailingIsLoggedWithItsStackOnceAndItsGuardByChanges() throws Exception {
    try (Lines lines = new Lines("io.callboard")) {
      ActorRef<Get> guard = guard(options());
      for (int i = 0; i < 40; i++) {
        down = true;
        tell(guard, "a" + i);
        pass(SECOND.multipliedBy(2));
        down = false;
        pass(SECOND.multipliedBy(8));
        assertThat(status().held()).isZero();
      }
      List<ILoggingEvent> failures = lines.with("is started again");
      assertThat(failures).hasSizeBetween(3, 9);
      assertThat(failures.stream().filter(line -> line.getThrowableProxy() != null)).hasSize(1);
      assertThat(failures.get(0).getThrowableProxy().getMessage()).isEqualTo("500");
      assertThat(lines.with("guard /prices is open"))
          .as("openings 1, 2, 4, 8, 16 and 32")
          .hasSize(6);
      assertThat(lines.with("guard /prices is closed again")).hasSize(6);
    }
  }

  @Test
  void anOutageAmongManyShortOnesIsLogged() throws Exception {
    try (Lines lines = new Lines("io.callboard.guard")) {
      ActorRef<Get> guard = guard(options());
      for (int i = 0; i < 2; i++) {
        down = true;
        tell(guard, "a" + i);
        down = false;
        pass(SECOND.multipliedBy(8));
      }
      down = true;
      tell(guard, "third");
      assertThat(lines.with("is open")).hasSize(2);
      for (int i = 0; i < 10; i++) {
        pass(SECOND.multipliedBy(8));
      }
      assertThat(lines.with("is open, after 4 failures in a row")).hasSize(1);
    }
  }
}
