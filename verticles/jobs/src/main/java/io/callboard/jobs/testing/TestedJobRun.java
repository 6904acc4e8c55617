package io.callboard.jobs.testing;

import io.callboard.jobs.handler.JobContext;
import io.callboard.jobs.handler.JobHandler;
import io.callboard.jobs.internal.call.CallOutcome;
import io.callboard.jobs.internal.call.Checkpoints;
import io.callboard.jobs.internal.files.RunFiles;
import io.callboard.jobs.model.FileContent;
import io.callboard.jobs.testing.TestedJobOutcome.End;
import io.callboard.supervision.Backoff;
import io.callboard.supervision.Backoff.Jitter;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Run of a tested job, on a thread of its own. Thread-safe.
 *
 * @param <A> type of the arguments
 */
public final class TestedJobRun<A> {
  private final TestedJob<A> job;
  private final CompletableFuture<CallOutcome> code = new CompletableFuture<>();
  private final Promise<Void> cancelled = Promise.promise();
  private final List<String> log = new ArrayList<>();
  private @Nullable Thread thread;
  private @Nullable String progress;
  private @Nullable FileContent checkpoint;
  private @Nullable Kill kill;

  /** Kill of a run: how it ends then, and why. */
  private enum Kill {
    CANCEL(End.CANCELLED, "cancelled"),
    TIMEOUT(End.FAILED, "its run timeout has elapsed"),
    LOSS(End.LOST, "its node stops or has lost its session");

    private final End end;
    private final String why;

    Kill(End end, String why) {
      this.end = end;
      this.why = why;
    }
  }

  TestedJobRun(TestedJob<A> job) {
    this.job = job;
  }

  void begin(JobHandler<A> handler) {
    Thread own = new Thread(() -> call(handler), "handler of job " + job.id);
    own.setDaemon(true);
    synchronized (this) {
      thread = own;
    }
    own.start();
  }

  private void call(JobHandler<A> handler) {
    Future<?> result;
    try {
      result = CallOutcome.future(handler.run(new Context()));
    } catch (Throwable e) { // an Error of the code, too, is a failure of its run
      result = Future.failedFuture(e);
    } finally {
      synchronized (this) {
        thread = null;
      }
    }
    result.onComplete(
        done -> code.complete(CallOutcome.of(job.options, done.result(), done.cause())));
  }

  /** Asks the handler to end as its job is cancelled; the first such call of a run counts. */
  public void cancel() {
    kill(Kill.CANCEL);
  }

  /** Asks the handler to end as its run timeout has elapsed. */
  public void timeOut() {
    kill(Kill.TIMEOUT);
  }

  /** Asks the handler to end as its node stops or has lost its session. */
  public void lose() {
    kill(Kill.LOSS);
  }

  private void kill(Kill by) {
    synchronized (this) {
      kill = kill == null ? by : kill;
    }
    boolean unused = cancelled.tryComplete();
  }

  /**
   * Interrupts the thread of the handler, as a node does 5 s after it has asked the handler to end.
   *
   * @throws IllegalStateException if it was not asked to end, or its thread has returned: a node
   *     interrupts none then
   */
  public void interrupt() {
    synchronized (this) {
      if (kill == null || thread == null) {
        throw new IllegalStateException(
            kill == null
                ? "a node interrupts a handler only after it has asked it to end: cancel, timeOut or lose it first"
                : "the handler has returned, no thread of it is left to interrupt");
      }
      thread.interrupt();
    }
  }

  /** Returns the last progress so far, as people see it. */
  public synchronized Optional<String> progress() {
    return Optional.ofNullable(progress);
  }

  /** Returns the lines that were logged so far. */
  public synchronized List<String> log() {
    return List.copyOf(log);
  }

  /**
   * Waits until the handler has ended, and what it returned has completed.
   *
   * @throws AssertionError if it does not end within the time of the test; with its stack
   */
  public TestedJobOutcome outcome() {
    try {
      return outcome(code.get(job.within.toNanos(), TimeUnit.NANOSECONDS));
    } catch (TimeoutException e) {
      throw new AssertionError(notEnded(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while the handler runs", e);
    } catch (ExecutionException e) {
      throw new AssertionError(e); // it completes with an outcome alone
    }
  }

  private synchronized String notEnded() {
    String asked = kill == null ? "" : " though it was asked to end (%s)".formatted(kill.why);
    String where =
        thread == null
            ? "it has returned, and the future that it returned has not completed"
            : Arrays.stream(thread.getStackTrace())
                .map(frame -> "\n\tat " + frame)
                .collect(Collectors.joining());
    return "the handler has not ended within %s%s: %s".formatted(job.within, asked, where);
  }

  private synchronized TestedJobOutcome outcome(CallOutcome of) {
    End end = kill != null ? kill.end : of.succeeded() ? End.SUCCEEDED : End.FAILED;
    boolean succeeded = end == End.SUCCEEDED;
    return new TestedJobOutcome(
        end,
        succeeded ? of.result() : null,
        succeeded ? of.refusal() : null,
        kill != null ? kill.why : of.error().orElse(null),
        kill != null ? null : of.failure(),
        pause(end, of),
        succeeded ? null : checkpoint == null ? job.checkpoint : checkpoint,
        progress,
        log);
  }

  /** Returns the pause before the job runs again; null if it does not. */
  private @Nullable Duration pause(End end, CallOutcome of) {
    if (end == End.LOST) {
      return Duration.ZERO;
    }
    boolean retried = end == End.FAILED && (kill != null || of.retry());
    if (!retried || job.attempt >= job.retry.attempts()) {
      return null;
    }
    Duration longest =
        Backoff.exponential(job.retry.initial(), job.retry.max(), Jitter.NONE)
            .delay(job.attempt, new Random(0)); // without jitter nothing is random
    return kill != null ? longest : of.after().orElse(longest);
  }

  private void reported() {
    job.onReport.accept(this);
  }

  /** Run as the handler sees it. */
  private final class Context implements JobContext<A> {
    @Override
    public String job() {
      return job.id;
    }

    @Override
    public int run() {
      return job.run;
    }

    @Override
    public int attempt() {
      return job.attempt;
    }

    @Override
    public long epoch() {
      return job.epoch;
    }

    @Override
    public A args() {
      return job.args;
    }

    @Override
    public <C> Optional<C> checkpoint(Class<C> type) {
      return Checkpoints.read(job.id, job.checkpoint, type);
    }

    @Override
    public void checkpoint(Object state) {
      FileContent content = Checkpoints.written(state);
      synchronized (TestedJobRun.this) {
        checkpoint = content;
      }
      reported();
    }

    @Override
    public void progress(String text) {
      String line = RunFiles.line(text);
      synchronized (TestedJobRun.this) {
        progress = line;
      }
      reported();
    }

    @Override
    public void log(String line) {
      synchronized (TestedJobRun.this) {
        log.add(Objects.requireNonNull(line, "line"));
      }
      reported();
    }

    @Override
    public Future<Void> cancelled() {
      return cancelled.future();
    }
  }
}
