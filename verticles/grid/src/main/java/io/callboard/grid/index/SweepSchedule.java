package io.callboard.grid.index;

import io.callboard.Callboard;
import io.callboard.time.Time.Alarm;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.internal.VertxInternal;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Schedule of a sweep that each node of a cell makes: the next begins at a random time within two
 * periods after the end of the last, so that the nodes do not sweep together. One that fails is
 * reported, and the next is made all the same. Any thread.
 */
public final class SweepSchedule {
  private final Callboard callboard;
  private final Duration every;
  private final Supplier<Future<Void>> sweep;
  private final Consumer<Throwable> failed;

  /** Context of no actor, so that an actor's end does not end the sweeps. */
  private final Context context;

  private volatile @Nullable Alarm alarm;
  private volatile boolean closed;

  /**
   * Creates the schedule of a node.
   *
   * @param every period, on average
   * @param sweep makes a sweep, without blocking
   * @param failed takes the failure of a sweep
   */
  public SweepSchedule(
      Callboard callboard,
      Duration every,
      Supplier<Future<Void>> sweep,
      Consumer<Throwable> failed) {
    this.callboard = callboard;
    this.every = every;
    this.sweep = sweep;
    this.failed = failed;
    this.context = ((VertxInternal) callboard.vertx()).createEventLoopContext();
  }

  /** Begins; the first sweep comes after a random time, too. */
  public void start() {
    if (!closed) {
      Duration wait = Duration.ofMillis(1 + callboard.random().nextLong(every.toMillis() * 2));
      alarm = callboard.time().after(context, wait, this::due);
    }
  }

  private void due() {
    if (!closed) {
      Future.<Void>succeededFuture()
          .compose(v -> sweep.get())
          .onFailure(failed::accept)
          .onComplete(done -> start());
    }
  }

  /** Returns whether a sweep that is under way is to end early. */
  public boolean isClosed() {
    return closed;
  }

  /** Ends it: no sweep begins any more. */
  public void close() {
    closed = true;
    Alarm set = alarm;
    if (set != null) {
      set.cancel();
    }
  }
}
