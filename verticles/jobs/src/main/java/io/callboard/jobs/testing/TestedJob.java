package io.callboard.jobs.testing;

import io.callboard.jobs.handler.HandlerOptions;
import io.callboard.jobs.handler.JobHandler;
import io.callboard.jobs.internal.call.Checkpoints;
import io.callboard.jobs.internal.call.OfferedHandler;
import io.callboard.jobs.model.FileContent;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.RetryPolicy;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Job for the test of its handler: arguments, and what its next run begins with. Immutable. Time
 * does not pass: pauses and timeouts are told, and the test says when a run is to end.
 *
 * @param <A> type of the arguments
 */
public final class TestedJob<A> {
  /** Time that a test waits for a handler by default. */
  static final Duration LIMIT =
      Duration.ofMillis(
          (long)
              (30_000
                  * Double.parseDouble(System.getProperty("callboard.testkit.timefactor", "1"))));

  final A args;
  String id = "00000000-0000-0000-0000-000000000001";
  int run = 1;
  int attempt = 1;
  long epoch = 1;
  @Nullable FileContent checkpoint;
  HandlerOptions options = HandlerOptions.DEFAULT;
  RetryPolicy retry = RetryPolicy.HANDLERS;
  Duration within = LIMIT;
  Consumer<TestedJobRun<A>> onReport = run -> {};

  private TestedJob(A args) {
    this.args = args;
  }

  private TestedJob<A> changed(Consumer<TestedJob<A>> change) {
    TestedJob<A> copy = new TestedJob<>(args);
    copy.id = id;
    copy.run = run;
    copy.attempt = attempt;
    copy.epoch = epoch;
    copy.checkpoint = checkpoint;
    copy.options = options;
    copy.retry = retry;
    copy.within = within;
    copy.onReport = onReport;
    change.accept(copy);
    return copy;
  }

  /**
   * Creates a job in its first run. The handler gets a copy of the arguments, written as JSON and
   * read again.
   *
   * @throws io.callboard.codecs.CodecException if that is not possible
   */
  @SuppressWarnings("unchecked") // the class of a value of A reads one
  public static <A> TestedJob<A> of(A args) {
    return of((Class<A>) args.getClass(), args);
  }

  /**
   * Creates a job in its first run, whose arguments others wrote: a map or a tree, as in JSON.
   *
   * @param type class of the arguments, as in {@code Jobs.handle}
   * @throws io.callboard.codecs.CodecException if the arguments do not fit; a submission is refused
   *     with its message
   */
  public static <A> TestedJob<A> of(Class<A> type, Object args) {
    OfferedHandler<A> offer =
        new OfferedHandler<>("tested", type, HandlerOptions.DEFAULT, job -> null);
    return new TestedJob<>(
        offer.read(Objects.requireNonNull(JobSpec.handler("tested", args).args())));
  }

  /** Returns the job with another id. */
  public TestedJob<A> id(String job) {
    return changed(its -> its.id = job);
  }

  /**
   * Returns the job in another attempt, with at least as many runs.
   *
   * @throws IllegalArgumentException if it is not one of those that the retry policy has
   */
  public TestedJob<A> attempt(int number) {
    if (number < 1 || number > retry.attempts()) {
      throw new IllegalArgumentException(
          "the attempts of this job are 1 to %d, not %d".formatted(retry.attempts(), number));
    }
    return changed(
        its -> {
          its.attempt = number;
          its.run = Math.max(run, number);
        });
  }

  /**
   * Returns the job in another run.
   *
   * @throws IllegalArgumentException if the number is below that of the attempt
   */
  public TestedJob<A> run(int number) {
    if (number < attempt) {
      throw new IllegalArgumentException(
          "attempt %d is run %d or a later one, not run %d".formatted(attempt, attempt, number));
    }
    return changed(its -> its.run = number);
  }

  /** Returns the job with another fencing epoch; it is 1 by default. */
  public TestedJob<A> epoch(long number) {
    return changed(its -> its.epoch = number);
  }

  /**
   * Returns the job with a checkpoint that an earlier run left.
   *
   * @throws IllegalArgumentException if no run could: it is over 64 KiB as JSON
   */
  public TestedJob<A> checkpoint(Object state) {
    FileContent kept = Checkpoints.written(state);
    return changed(its -> its.checkpoint = kept);
  }

  /** Returns the job with the options of its handler, of which its rules count. */
  public TestedJob<A> options(HandlerOptions of) {
    return changed(its -> its.options = of);
  }

  /** Returns the job with another retry policy; by default it is {@link RetryPolicy#HANDLERS}. */
  public TestedJob<A> retry(RetryPolicy policy) {
    return changed(its -> its.retry = policy);
  }

  /**
   * Returns the job with another time that the test waits for its handler to end: 30 s by default,
   * times the system property {@code callboard.testkit.timefactor}.
   */
  public TestedJob<A> within(Duration most) {
    return changed(its -> its.within = most);
  }

  /**
   * Returns the job with code that is called on the handler's thread after each progress, log line
   * and checkpoint of it. There a test ends the run at an exact point: {@code
   * job.onReport(TestedJobRun::cancel)}.
   */
  public TestedJob<A> onReport(Consumer<TestedJobRun<A>> code) {
    return changed(its -> its.onReport = code);
  }

  /** Runs the handler until it has ended; see {@link TestedJobRun#outcome}. */
  public TestedJobOutcome run(JobHandler<A> handler) {
    return start(handler).outcome();
  }

  /** Starts a run, on a thread of its own; for tests that do something meanwhile. */
  public TestedJobRun<A> start(JobHandler<A> handler) {
    TestedJobRun<A> started = new TestedJobRun<>(this);
    started.begin(handler);
    return started;
  }

  /**
   * Returns the job in the run that follows, with what the last one left. The job is started anew
   * by it: with a higher epoch, and in the next attempt, unless the last run was lost.
   *
   * @param last outcome of the run of this job
   * @throws IllegalStateException if the job does not run again
   */
  public TestedJob<A> after(TestedJobOutcome last) {
    if (!last.runsAgain()) {
      throw new IllegalStateException("the job does not run again after " + last);
    }
    boolean lost = last.end() == TestedJobOutcome.End.LOST;
    return changed(
        its -> {
          its.run = run + 1;
          its.attempt = lost ? attempt : attempt + 1;
          its.epoch = epoch + 1;
          its.checkpoint = last.kept();
        });
  }
}
