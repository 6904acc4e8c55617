package io.callboard.jobs.internal.actor;

import io.callboard.Callboard;
import io.callboard.jobs.internal.files.FileLook;
import io.callboard.jobs.internal.files.FileStamp;
import io.callboard.jobs.internal.files.HostFiles;
import io.callboard.jobs.internal.files.RunFiles;
import io.callboard.jobs.internal.protocol.JobCommand;
import io.callboard.jobs.internal.runner.RunKey;
import io.callboard.jobs.model.FileContent;
import io.callboard.jobs.model.RunOutput;
import io.callboard.time.Time.Alarm;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watch over the files of the live runs of this host: one pass over all of them at a time, on a
 * worker thread. {@link RunProgress} decides. All methods on one context.
 */
final class RunWatch {
  /** Pause between two passes. */
  static final Duration EVERY = Duration.ofSeconds(1);

  private static final Logger log = LoggerFactory.getLogger(RunWatch.class);

  private final Callboard callboard;
  private final Context context;
  private final HostFiles files;
  private final BiFunction<RunKey, JobCommand, Future<Void>> toJob;
  private final BooleanSupplier over;
  private final Runnable idle;
  private final Map<RunKey, RunProgress> runs = new HashMap<>();

  /** Last progress of each run, for any thread. */
  private final Map<RunKey, Moved> moved = new ConcurrentHashMap<>();

  private boolean ticking;

  /** Completes with the end of the next look; null if nobody waits for it. */
  private @Nullable Promise<Void> asked;

  /** Last progress of a run, and the time after which it counts as stalled. */
  private record Moved(Instant at, long ns, @Nullable Duration timeout) {}

  /** Files of a run to look at, as they were before. */
  private record Question(
      RunKey key, @Nullable FileStamp progress, @Nullable FileStamp checkpoint) {}

  private record Answer(RunKey key, FileLook progress, FileLook checkpoint) {}

  /**
   * Creates the watch.
   *
   * @param context context of its work, of no actor
   * @param toJob sends a report to the job of a run
   * @param over whether its host takes no runs any more, and nothing is to be reported
   * @param idle called once no run is left
   */
  RunWatch(
      Callboard callboard,
      Context context,
      HostFiles files,
      BiFunction<RunKey, JobCommand, Future<Void>> toJob,
      BooleanSupplier over,
      Runnable idle) {
    this.callboard = callboard;
    this.context = context;
    this.files = files;
    this.toJob = toJob;
    this.over = over;
    this.idle = idle;
  }

  /** Adds a run that has started. */
  void add(RunKey key, @Nullable Duration timeout, @Nullable FileContent checkpoint) {
    RunProgress run = new RunProgress(key.runId(), timeout, checkpoint, now(), nowNs());
    runs.put(key, run);
    moved.put(key, new Moved(run.movedAt(), run.movedNs(), timeout));
    if (!ticking) {
      ticking = true;
      later();
    }
  }

  /** Removes a run that has ended, and returns what its job does not have yet. */
  RunOutput remove(RunKey key, RunOutput output) {
    RunProgress run = runs.remove(key);
    moved.remove(key);
    return run == null ? output : run.unreported(output);
  }

  /**
   * Returns the runs without progress within their timeouts, with the times of their last progress.
   * Any thread.
   */
  Map<String, Instant> quiet() {
    long nowNs = nowNs();
    Map<String, Instant> quiet = new TreeMap<>();
    moved.forEach(
        (key, run) -> {
          if (run.timeout() != null && nowNs - run.ns() >= run.timeout().toNanos()) {
            quiet.put(key.toString(), run.at());
          }
        });
    return quiet;
  }

  /**
   * Returns the time of the last progress of a run, or of its start; null if the run is not known.
   * Any thread.
   */
  @Nullable Instant lastProgress(RunKey key) {
    Moved run = moved.get(key);
    return run == null ? null : run.at();
  }

  /** Completes with the end of a scan of the files of all runs that begins after this call. */
  Future<Void> look() {
    if (!ticking) {
      return Future.succeededFuture();
    }
    Promise<Void> waiting = asked == null ? Promise.promise() : asked;
    asked = waiting;
    return waiting.future();
  }

  private void later() {
    Alarm unused = callboard.time().after(context, EVERY, this::pass);
  }

  private void pass() {
    if (over.getAsBoolean()) {
      return;
    } else if (runs.isEmpty()) {
      ticking = false;
      answer(takeAsked());
      idle.run();
      return;
    }
    Promise<Void> waiting = takeAsked();
    List<Question> questions = new ArrayList<>();
    runs.forEach((key, run) -> questions.add(new Question(key, run.progress(), run.checkpoint())));
    callboard
        .vertx()
        .executeBlocking(() -> look(questions), false)
        .onComplete(
            looks ->
                context.runOnContext(
                    v -> {
                      later(); // whatever becomes of this look
                      looked(looks, waiting);
                    }));
  }

  private void looked(AsyncResult<List<Answer>> looks, @Nullable Promise<Void> waiting) {
    if (looks.failed()) {
      log.warn("the files of the runs cannot be read", looks.cause());
      askAgain(waiting);
      return;
    }
    try {
      looks.result().forEach(this::saw);
    } finally {
      answer(waiting);
    }
  }

  private @Nullable Promise<Void> takeAsked() {
    Promise<Void> waiting = asked;
    asked = null;
    return waiting;
  }

  private static void answer(@Nullable Promise<Void> waiting) {
    if (waiting != null) {
      waiting.complete();
    }
  }

  /** Asks again for those who wait for a look that failed. */
  private void askAgain(@Nullable Promise<Void> waiting) {
    if (waiting != null && asked != null) {
      asked.future().onSuccess(v -> waiting.complete());
    } else if (waiting != null) {
      asked = waiting;
    }
  }

  private List<Answer> look(List<Question> questions) {
    List<Answer> answers = new ArrayList<>();
    for (Question run : questions) {
      answers.add(
          new Answer(
              run.key(),
              files.look(run.key(), RunFiles.PROGRESS, run.progress()),
              files.look(run.key(), RunFiles.CHECKPOINT, run.checkpoint())));
    }
    return answers;
  }

  private void saw(Answer answer) {
    RunProgress run = runs.get(answer.key());
    if (run == null) {
      return;
    }
    run.saw(answer.progress(), answer.checkpoint(), now(), nowNs());
    moved.computeIfPresent(
        answer.key(), (key, known) -> new Moved(run.movedAt(), run.movedNs(), known.timeout()));
    if (!run.isSending()) {
      run.next(now(), nowNs()).ifPresent(report -> send(answer.key(), run, report));
    }
  }

  private void send(RunKey key, RunProgress run, JobCommand report) {
    toJob
        .apply(key, report)
        .onComplete(
            sent ->
                context.runOnContext(
                    v -> {
                      if (sent.failed()) {
                        log.warn(
                            "the progress of run {} could not be reported to its job, it is reported again: {}",
                            key,
                            sent.cause().toString());
                      }
                      run.sent(sent.succeeded(), nowNs());
                    }));
  }

  private Instant now() {
    return callboard.time().clock().instant();
  }

  private long nowNs() {
    return callboard.time().nanoTime();
  }
}
