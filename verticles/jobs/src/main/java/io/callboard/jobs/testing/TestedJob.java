package io.callboard.jobs.testing;

import io.callboard.codecs.Json;
import io.callboard.jobs.handler.HandlerOptions;
import io.callboard.jobs.handler.JobHandler;
import io.callboard.jobs.handler.run.Checkpoints;
import io.callboard.jobs.handler.run.Offer;
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
                  * Double.parseDouble(
                      System.getProperty("callboard.testkit.timefactor", "1"))));

  final A args;
  final String id;
  final int run;
  final int attempt;
  final long epoch;
  final @Nullable FileContent checkpoint;
  final HandlerOptions options;
  final RetryPolicy retry;
  final Duration within;
  final Consumer<TestedRun<A>> onReport;

  private TestedJob(
      A args,
      String id,
      int run,
      int attempt,
      long epoch,
      @Nullable FileContent checkpoint,
      HandlerOptions options,
      RetryPolicy retry,
      Duration within,
      Consumer<TestedRun<A>> onReport) {
    this.args = args;
    this.id = id;
    this.run = run;
    this.attempt = attempt;
    this.epoch = epoch;
    this.checkpoint = checkpoint;
    this.options = options;
    this.retry = retry;
    this.within = within;
    this.onReport = onReport;
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
    Json.checkReadable("arguments of a handler", type);
    Offer<A> offer = new Offer<>("tested", type, HandlerOptions.DEFAULT, job -> null);
    A read = offer.read(Objects.requireNonNull(JobSpec.handler("tested", args).args()));
    return new TestedJob<>(
        read,
        "00000000-0000-0000-0000-000000000001",
        1,
        1,
        1,
        null,
        HandlerOptions.DEFAULT,
        RetryPolicy.HANDLERS,
        LIMIT,
        run -> {});
  }

  /** Returns the job with another id. */
  public TestedJob<A> id(String job) {
    return new TestedJob<>(
        args, job, run, attempt, epoch, checkpoint, options, retry, within, onReport);
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
    return new TestedJob<>(
        args,
        id,
        Math.max(run, number),
        number,
        epoch,
        checkpoint,
        options,
        retry,
        within,
        onReport);
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
    return new TestedJob<>(
        args, id, number, attempt, epoch, checkpoint, options, retry, within, onReport);
  }

  /** Returns the job with another fencing epoch; it is 1 by default. */
  public TestedJob<A> epoch(long number) {
    return new TestedJob<>(
        args, id, run, attempt, number, checkpoint, options, retry, within, onReport);
  }

  /**
   * Returns the job with a checkpoint that an earlier run left.
   *
   * @throws IllegalArgumentException if no run could: it is over 64 KiB as JSON
   */
  public TestedJob<A> checkpoint(Object state) {
    return new TestedJob<>(
        args,
        id,
        run,
        attempt,
        epoch,
        Checkpoints.written(state),
        options,
        retry,
        within,
        onReport);
  }

  /** Returns the job with the options of its handler, of which its rules count. */
  public TestedJob<A> options(HandlerOptions of) {
    return new TestedJob<>(
        args, id, run, attempt, epoch, checkpoint, of, retry, within, onReport);
  }

  /** Returns the job with another retry policy; by default it is {@link RetryPolicy#HANDLERS}. */
  public TestedJob<A> retry(RetryPolicy policy) {
    return new TestedJob<>(
        args, id, run, attempt, epoch, checkpoint, options, policy, within, onReport);
  }

  /**
   * Returns the job with another time that the test waits for its handler to end: 30 s by default,
   * times the system property {@code callboard.testkit.timefactor}.
   */
  public TestedJob<A> within(Duration most) {
    return new TestedJob<>(
        args, id, run, attempt, epoch, checkpoint, options, retry, most, onReport);
  }

  /**
   * Returns the job with code that is called on the handler's thread after each progress, log line
   * and checkpoint of it. There a test ends the run at an exact point: {@code
   * job.onReport(TestedRun::cancel)}.
   */
  public TestedJob<A> onReport(Consumer<TestedRun<A>> code) {
    return new TestedJob<>(
        args, id, run, attempt, epoch, checkpoint, options, retry, within, code);
  }

  /** Runs the handler until it has ended; see {@link TestedRun#outcome}. */
  public TestedOutcome run(JobHandler<A> handler) {
    return start(handler).outcome();
  }

  /** Starts a run, on a thread of its own; for tests that do something meanwhile. */
  public TestedRun<A> start(JobHandler<A> handler) {
    TestedRun<A> started = new TestedRun<>(this);
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
  public TestedJob<A> after(TestedOutcome last) {
    if (!last.runsAgain()) {
      throw new IllegalStateException("the job does not run again after " + last);
    }
    boolean lost = last.end() == TestedOutcome.End.LOST;
    return new TestedJob<>(
        args,
        id,
        run + 1,
        lost ? attempt : attempt + 1,
        epoch + 1,
        last.kept(),
        options,
        retry,
        within,
        onReport);
  }
}
