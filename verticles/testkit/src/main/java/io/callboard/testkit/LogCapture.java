package io.callboard.testkit;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Capture of a logger's lines while this is open, including those that the loggers below propagate
 * to it. Lines that one of them holds back, by its own level or without additivity, are not
 * captured: capture that logger itself.
 *
 * <pre>{@code
 * try (LogCapture log = LogCapture.of(Payment.class)) {
 *   payment.tell(new Refund(5));
 *   log.expect(Level.WARN, "refund of 5");
 * }
 * }</pre>
 *
 * <p>Needs a logging implementation whose lines can be captured in the process: Logback, or
 * java.util.logging, in the test scope ({@code ch.qos.logback:logback-classic}, or {@code
 * org.slf4j:slf4j-jdk14}). With another one, Log4j among them, {@link #of} says so. Thread-safe.
 */
public final class LogCapture implements AutoCloseable {
  /** Maximum number of lines kept; of further lines only the number and the highest level are. */
  static final int MOST = 10_000;

  private static final String LOGBACK = "ch.qos.logback.classic.LoggerContext";
  private static final String JUL = "org.slf4j.jul.JDK14LoggerFactory";

  private final String logger;
  private final Level lowest;
  private final List<Line> lines = new CopyOnWriteArrayList<>();
  private final Runnable end;
  private final AtomicLong further = new AtomicLong();
  private final AtomicInteger loudest = new AtomicInteger();

  /**
   * Line of the log.
   *
   * @param level its level
   * @param logger name of its logger
   * @param text its message, with the parameters filled in
   */
  public record Line(Level level, String logger, String text) {}

  /** Source of log lines. */
  interface Tap {
    /**
     * Opens the tap.
     *
     * @param lowest level from which on lines are delivered, whatever the log's configuration
     * @return closes the tap and restores the configuration
     */
    Runnable open(String logger, Level lowest, Consumer<Line> taker);
  }

  private LogCapture(String logger, Level lowest, Tap tap) {
    this.logger = logger;
    this.lowest = lowest;
    this.end = tap.open(logger, lowest, this::take);
  }

  /** Captures the class's logger at {@code INFO} and above. */
  public static LogCapture of(Class<?> type) {
    return of(type.getName(), Level.INFO);
  }

  /** Captures the logger of that name at {@code INFO} and above. */
  public static LogCapture of(String logger) {
    return of(logger, Level.INFO);
  }

  /**
   * Captures the logger of that name.
   *
   * @param lowest level from which on lines are captured, whatever the log's configuration
   * @throws IllegalStateException if the tests' log is neither Logback nor java.util.logging
   */
  public static LogCapture of(String logger, Level lowest) {
    return new LogCapture(logger, lowest, tap());
  }

  /** Returns whether lines of the tests' logging implementation can be captured. */
  public static boolean isPossible() {
    String backend = backend();
    return backend.equals(LOGBACK) || backend.equals(JUL);
  }

  private static String backend() {
    return LoggerFactory.getILoggerFactory().getClass().getName();
  }

  private static Tap tap() {
    return switch (backend()) {
      case LOGBACK -> new LogbackTap();
      case JUL -> new JulTap();
      default ->
          throw new IllegalStateException(
              ("log lines of the logging implementation %s cannot be captured: add ch.qos.logback:logback-classic or org.slf4j:slf4j-jdk14 in test scope")
                  .formatted(backend()));
    };
  }

  private void take(Line line) {
    if (lines.size() < MOST) {
      lines.add(line);
    } else {
      int unused = loudest.accumulateAndGet(line.level().toInt(), Math::max);
      further.incrementAndGet();
    }
  }

  /** Returns the lines captured so far, oldest first. */
  public List<Line> lines() {
    return List.copyOf(lines);
  }

  /**
   * Waits up to 20 s for a line of that level that contains {@code text}, or finds it among those
   * captured already, and returns it.
   *
   * @throws IllegalArgumentException if lines of that level are not captured
   */
  @CanIgnoreReturnValue
  public Line expect(Level level, String text) {
    return expect(WaitLimit.LIMIT, level, text);
  }

  @CanIgnoreReturnValue
  Line expect(Duration patience, Level level, String text) {
    captures(level);
    Eventually.assertThat(
        patience,
        () -> {
          if (find(level, text).isEmpty()) {
            throw missing(level, text);
          }
        });
    return find(level, text).orElseThrow();
  }

  private void captures(Level level) {
    if (level.toInt() < lowest.toInt()) {
      throw new IllegalArgumentException(
          "the log capture of %s takes %s and above only, not %s: create it with LogCapture.of that level"
              .formatted(logger, lowest, level));
    }
  }

  private AssertionError missing(Level level, String text) {
    return new AssertionError(
        "no %s with \"%s\" was logged by %s, but %s%s"
            .formatted(level, text, logger, lines, more()));
  }

  private String more() {
    return further.get() == 0
        ? ""
        : " and %d more, up to %s".formatted(further.get(), Level.intToLevel(loudest.get()));
  }

  private Optional<Line> find(Level level, String text) {
    return lines.stream()
        .filter(line -> line.level() == level && line.text().contains(text))
        .findFirst();
  }

  /**
   * Asserts that no line of that level or above was captured so far.
   *
   * @throws IllegalArgumentException if lines of that level are not captured
   */
  public void expectNothing(Level level) {
    captures(level);
    List<Line> loud = lines.stream().filter(line -> line.level().toInt() >= level.toInt()).toList();
    boolean more = further.get() > 0 && loudest.get() >= level.toInt();
    if (!loud.isEmpty() || more) {
      throw new AssertionError("%s logged %s%s".formatted(logger, loud, more ? more() : ""));
    }
  }

  @Override
  public void close() {
    end.run();
  }
}
