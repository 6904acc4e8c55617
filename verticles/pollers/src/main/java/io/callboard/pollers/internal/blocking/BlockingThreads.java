package io.callboard.pollers.internal.blocking;

import io.callboard.pollers.source.SourceException;
import io.callboard.pollers.source.SourceMessage;
import io.callboard.time.Time;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Threads of one source that may block on its system. All methods are called on the context of the
 * source.
 */
public final class BlockingThreads {
  /** Time between the two looks of a poll that finds nothing at first. */
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final Vertx vertx;
  private final WorkerExecutor threads;
  private final Function<Throwable, String> words;
  private final Set<Promise<?>> running = new HashSet<>();
  private @Nullable Future<Void> closed;

  /**
   * Makes the threads.
   *
   * @param name name of the threads, no other source's
   * @param words says for people what failed, naming the system
   */
  public BlockingThreads(Vertx vertx, String name, int number, Function<Throwable, String> words) {
    this.vertx = vertx;
    this.threads = vertx.createSharedWorkerExecutor(name, number);
    this.words = words;
  }

  /** Runs {@code work} on one of the threads; fails with a {@link SourceException}. */
  public <T> Future<T> run(Callable<T> work) {
    if (closed != null) {
      return Future.failedFuture(new SourceException("the source is closed"));
    }
    return submit(work);
  }

  private <T> Future<T> submit(Callable<T> work) {
    Promise<T> result = Promise.promise();
    running.add(result);
    Future<T> submitted;
    try {
      submitted = threads.executeBlocking(work, false);
    } catch (RejectedExecutionException e) {
      submitted = Future.failedFuture(e); // its Vert.x is closed
    }
    submitted.onComplete(
        done -> {
          running.remove(result);
          boolean unused =
              done.succeeded()
                  ? result.tryComplete(done.result())
                  : result.tryFail(failure(done.cause()));
        });
    return result.future();
  }

  private SourceException failure(Throwable cause) {
    return cause instanceof SourceException known
        ? known
        : new SourceException(words.apply(cause), cause);
  }

  /** Takes messages, and tries once more after a second if there are none. */
  public Future<List<SourceMessage>> poll(Time time, Callable<List<SourceMessage>> look) {
    return run(look)
        .compose(
            taken -> {
              return taken.isEmpty()
                  ? time.pause(vertx.getOrCreateContext(), PAUSE).compose(v -> run(look))
                  : Future.succeededFuture(taken);
            });
  }

  /**
   * Runs {@code last}, ends the threads, and fails all work that is under way. Idempotent.
   *
   * @param last work that disconnects
   */
  public Future<Void> close(Callable<Void> last) {
    Future<Void> closing = closed;
    if (closing == null) {
      Promise<Void> ended = Promise.promise();
      closing = ended.future();
      closed = closing;
      submit(last)
          .eventually(threads::close)
          .onComplete(
              done -> {
                for (Promise<?> each : List.copyOf(running)) {
                  boolean unused = each.tryFail(new SourceException("the source was closed"));
                }
                running.clear();
                ended.handle(done);
              });
    }
    return closing;
  }
}
