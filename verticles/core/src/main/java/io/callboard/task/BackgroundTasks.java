package io.callboard.task;

import io.callboard.supervision.Causes;
import io.callboard.time.Time;
import io.callboard.time.Time.Alarm;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Background tasks of a node, on an event loop context of their own, one at a time: sweeps,
 * heartbeats, reports, clients that keep state. They belong to no actor, so that the end of an
 * actor does not end them; they end with {@link #close()} or when the actors of the node have
 * closed, and after that nothing of them begins. Like actors they must not block: {@link #blocking}
 * is for code that does.
 *
 * <p>All methods may be called from any thread. What a task throws is logged with their name, and
 * ends neither the tasks nor a repetition.
 */
public final class BackgroundTasks {
  private static final Logger log = LoggerFactory.getLogger(BackgroundTasks.class);

  private final String of;
  private final VertxInternal vertx;
  private final Time time;
  private final Supplier<RandomGenerator> randoms;
  private final Set<BackgroundTasks> open;
  private final ContextInternal context;

  private final Set<Delayed> waiting = ConcurrentHashMap.newKeySet();

  private volatile boolean closed;

  BackgroundTasks(
      String of,
      Vertx vertx,
      Time time,
      Supplier<RandomGenerator> randoms,
      Set<BackgroundTasks> open) {
    this.of = Objects.requireNonNull(of, "the name of the tasks");
    this.vertx = (VertxInternal) vertx;
    this.time = time;
    this.randoms = randoms;
    this.open = open;
    this.context = this.vertx.createEventLoopContext();
  }

  /** Returns their context, for clients that call back on one. */
  public Context context() {
    return context;
  }

  /** Returns a promise whose future completes on their context. */
  public <T> Promise<T> promise() {
    return context.promise();
  }

  /** Returns a promise whose listeners are called on a worker thread, which they may block. */
  public <T> Promise<T> blockingPromise() {
    return vertx.createWorkerContext().promise();
  }

  /** Returns a promise whose future completes on the context of the caller, if it has one. */
  public static <T> Promise<T> callersPromise(Vertx vertx) {
    return ((VertxInternal) vertx).getOrCreateContext().promise();
  }

  /** Runs a task as soon as those before it have returned. */
  public void run(Runnable task) {
    if (closed) {
      return;
    }
    try {
      context.runOnContext(
          v -> {
            if (!closed) {
              guarded(task);
            }
          });
    } catch (RejectedExecutionException e) {
      log.debug("the Vert.x has closed", Causes.readable(e));
    }
  }

  /**
   * Calls a function as {@link #run} runs a task; completes as its future, and fails with {@link
   * IllegalStateException} if they are closed.
   */
  public <T> Future<T> call(Supplier<Future<T>> function) {
    return call(context, function);
  }

  /**
   * Calls a function on a worker thread, which it and the listeners of its future may block, beside
   * the other tasks; completes on the context of these tasks.
   */
  public <T> Future<T> blocking(Supplier<Future<T>> function) {
    Promise<T> done = promise();
    call(vertx.createWorkerContext(), function).onComplete(done);
    return done.future();
  }

  private <T> Future<T> call(ContextInternal where, Supplier<Future<T>> function) {
    Promise<T> called = Promise.promise();
    try {
      where.runOnContext(
          v -> {
            if (closed) {
              called.fail(ended());
            } else {
              Future.succeededFuture().compose(w -> function.get()).onComplete(called);
            }
          });
    } catch (RejectedExecutionException e) {
      called.fail(ended());
    }
    return called.future();
  }

  private IllegalStateException ended() {
    return new IllegalStateException("the background tasks of %s have ended".formatted(of));
  }

  /**
   * Runs a task once, after a delay.
   *
   * @param delay zero or less means as soon as possible
   */
  public Alarm after(Duration delay, Runnable task) {
    return after(delay, task, () -> {});
  }

  private Alarm after(Duration delay, Runnable task, Runnable never) {
    Delayed delayed = new Delayed(task, never);
    if (!closed) {
      waiting.add(delayed);
      try {
        delayed.alarm = time.after(context, delay, delayed::due);
      } catch (RejectedExecutionException e) {
        log.debug("the Vert.x has closed", Causes.readable(e));
        close();
      }
    }
    if (closed) { // meanwhile: close may not have seen the alarm
      delayed.end();
    }
    return delayed;
  }

  /** Task that waits for its time. */
  private final class Delayed implements Alarm {
    private final Runnable task;
    private final Runnable never;
    private volatile @Nullable Alarm alarm;

    Delayed(Runnable task, Runnable never) {
      this.task = task;
      this.never = never;
    }

    void due() {
      waiting.remove(this);
      if (closed) {
        never.run(); // close may not have seen it
      } else {
        guarded(task);
      }
    }

    void end() {
      cancel();
      never.run();
    }

    @Override
    public void cancel() {
      waiting.remove(this);
      Alarm set = alarm;
      if (set != null) {
        set.cancel();
      }
    }
  }

  /**
   * Returns a future that completes after a delay, and fails with {@link IllegalStateException} if
   * they are closed before.
   */
  public Future<Void> pause(Duration delay) {
    Promise<Void> passed = Promise.promise();
    Alarm unused = after(delay, passed::tryComplete, () -> passed.tryFail(ended()));
    return passed.future();
  }

  /** Repeats a task that does not block; what it throws is logged. */
  public void repeat(Repetition when, Runnable task) {
    repeat(
        when,
        () -> {
          task.run();
          return Future.succeededFuture(false);
        },
        cause -> {
          if (cause != null) {
            failed(cause);
          }
        });
  }

  /**
   * Repeats asynchronous work, one pass at a time: the next begins a pause after the end of the
   * last, the first a pause from now.
   *
   * @param pass begins a pass; its result is whether more is to be done soon
   * @param report takes, after each pass, its failure; null if it has succeeded
   */
  public void repeat(
      Repetition when, Supplier<Future<Boolean>> pass, Consumer<@Nullable Throwable> report) {
    Repeated repeated = new Repeated(when, pass, report);
    repeated.beginAfter(when.pause(0, repeated.random));
  }

  /** Work that is repeated. On the context, once it has begun. */
  private final class Repeated {
    private final Repetition when;
    private final Supplier<Future<Boolean>> pass;
    private final Consumer<@Nullable Throwable> report;
    private final RandomGenerator random = randoms.get();
    private int failures;

    Repeated(
        Repetition when, Supplier<Future<Boolean>> pass, Consumer<@Nullable Throwable> report) {
      this.when = when;
      this.pass = pass;
      this.report = report;
    }

    void beginAfter(Duration pause) {
      Alarm unused = after(pause, this::begin);
    }

    private void begin() {
      Future<Boolean> done =
          Future.succeededFuture()
              .compose(v -> Objects.requireNonNull(pass.get(), "a pass returned no future"));
      if (done.isComplete()) {
        next(done); // the next alarm is set before this one has run
      } else {
        done.onComplete(result -> run(() -> next(result)));
      }
    }

    private void next(AsyncResult<Boolean> done) {
      failures = done.succeeded() ? 0 : failures + 1;
      boolean more = Boolean.TRUE.equals(done.result());
      beginAfter(more ? when.soon() : when.pause(failures, random));
      report.accept(done.cause());
    }
  }

  private void failed(Throwable cause) {
    log.error("a background task of {} failed", of, Causes.readable(cause));
  }

  private void guarded(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException e) {
      failed(e);
    }
  }

  /** Returns whether they are closed; long work looks at it, and ends early. */
  public boolean isClosed() {
    return closed;
  }

  /** Ends them: what has not begun does not begin any more. Idempotent. */
  public void close() {
    closed = true;
    open.remove(this);
    waiting.forEach(each -> guarded(each::end));
  }
}
