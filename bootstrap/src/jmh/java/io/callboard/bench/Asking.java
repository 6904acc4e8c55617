package io.callboard.bench;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * An asker that keeps so many asks under way; each answer must be the one to its question. It lives
 * in one place, an actor or a context, and only there its methods are called, but those of a {@link
 * Load} and {@link #begin}.
 */
abstract class Asking implements Load {
  static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final Duration LIMIT = Duration.ofSeconds(40);

  private final int underWay;
  private final AtomicLong answered = new AtomicLong();
  private final AtomicLong retired = new AtomicLong();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private long number;
  private long starts;
  private volatile boolean running;

  /** Question; its answer has the same number. */
  record Question(long number) {}

  /** Answer to a {@link Question}. */
  record Answer(long number) {}

  Asking(int underWay) {
    this.underWay = underWay;
  }

  /**
   * Starts the asker: {@link #next} is called on its thread, once for each ask that may be under
   * way.
   */
  abstract void begin(int asks) throws Exception;

  /** Asks; leads to {@link #answered} or {@link #failed}. */
  abstract void ask(long question);

  final void next(int asks) {
    for (int i = 0; i < asks; i++) {
      ask(number++);
    }
  }

  final void answered(long question, long answer) {
    if (answer != question) {
      failed(new IllegalStateException("question %d got answer %d".formatted(question, answer)));
      return;
    }
    answered.setRelease(answered.getPlain() + 1);
    if (running) {
      next(1);
    } else {
      retired.incrementAndGet();
    }
  }

  final void failed(Throwable cause) {
    failure.compareAndSet(null, cause);
    retired.incrementAndGet();
  }

  @Override
  public final void start() throws Exception {
    running = true;
    starts++;
    begin(underWay);
  }

  @Override
  public final long done() {
    return answered.getAcquire();
  }

  @Override
  public final void stop() throws Exception {
    running = false;
    Load.await("every answer", LIMIT, () -> retired.get() == starts * underWay);
    if (failure.get() != null) {
      throw new IllegalStateException("an ask failed", failure.get());
    }
  }
}
