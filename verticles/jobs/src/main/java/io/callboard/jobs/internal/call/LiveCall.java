package io.callboard.jobs.internal.call;

import io.callboard.jobs.internal.files.FileLook;
import io.callboard.jobs.internal.files.FileStamp;
import io.callboard.jobs.internal.files.RunFiles;
import io.callboard.jobs.internal.runner.Run;
import io.callboard.jobs.internal.runner.RunKey;
import io.callboard.jobs.internal.runner.RunRequest;
import io.callboard.jobs.internal.runner.RunResult;
import io.callboard.jobs.model.FileContent;
import io.callboard.jobs.model.RunOutput;
import io.vertx.core.Promise;
import java.nio.charset.StandardCharsets;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Call of a handler, from its request until its job knows how it ended: its stage, its thread, and
 * what it has reported. Thread-safe.
 */
final class LiveCall {
  /** Maximum number of frames of a stack that is reported. */
  private static final int MOST_FRAMES = 30;

  /** Maximum number of characters of a stack that is reported. */
  private static final int MOST_STACK = 4_000;

  private final RunRequest request;
  private final ThreadWait threadWait;
  private final CallLog log;
  private final Promise<Run> started;
  private final Promise<RunResult> ended;
  private final Promise<Void> cancelled;
  private Instant startedAt = Instant.EPOCH;
  private @Nullable Thread thread;
  private String reason = "";
  private boolean abandoned;
  private boolean wasKillFailed;
  private @Nullable FileContent progress;
  private @Nullable FileContent checkpoint;
  private int progresses;
  private int checkpoints;

  /**
   * Creates a call that waits for a thread.
   *
   * @param threadWait its wait for a thread, which is over when what the code returned has
   *     completed
   * @param started completes when it has one
   * @param ended completes with its result
   * @param cancelled completes when it is to end; what listens to it is of the application
   */
  LiveCall(
      RunRequest request,
      ThreadWait threadWait,
      CallLog log,
      Promise<Run> started,
      Promise<RunResult> ended,
      Promise<Void> cancelled) {
    this.request = request;
    this.threadWait = threadWait;
    this.log = log;
    this.started = started;
    this.ended = ended;
    this.cancelled = cancelled;
  }

  RunRequest request() {
    return request;
  }

  RunKey key() {
    return request.key();
  }

  ThreadWait threadWait() {
    return threadWait;
  }

  CallLog log() {
    return log;
  }

  Promise<Run> started() {
    return started;
  }

  Promise<RunResult> ended() {
    return ended;
  }

  /** Returns the promise that tells the code to end. */
  Promise<Void> cancelled() {
    return cancelled;
  }

  synchronized Instant startedAt() {
    return startedAt;
  }

  /**
   * Begins the call, on the thread that calls the code.
   *
   * @return false if the call is over already
   */
  synchronized boolean begins(Instant now) {
    if (!threadWait.begins()) {
      return false;
    }
    startedAt = now;
    thread = Thread.currentThread();
    return true;
  }

  /** Records that this thread runs code of the application for the call, after its first thread. */
  synchronized void continues() {
    thread = Thread.currentThread();
  }

  /** Records that the code has returned, and gives its thread up. */
  synchronized void returned() {
    thread = null;
    boolean unused = Thread.interrupted();
  }

  /**
   * Ends the call.
   *
   * @return false if the call is over already
   */
  synchronized boolean ends() {
    return threadWait.returned();
  }

  /**
   * Gives the call back before its code was called.
   *
   * @return false if the code was called, or the call is over
   */
  synchronized boolean givesBack() {
    return threadWait.givesBack();
  }

  boolean isOver() {
    return threadWait.isOver();
  }

  /** Asks the code to end, unless the call is over; the first reason is reported. */
  void killFor(String why) {
    killFor(why, false);
  }

  /**
   * Asks the code to end for a reason of its host, unless the call is over: its run is lost then.
   */
  void abandonFor(String why) {
    killFor(why, true);
  }

  private void killFor(String why, boolean ofHost) {
    synchronized (this) {
      if (threadWait.isOver()) {
        return; // how it ended is known, and on the way to its job
      }
      reason = reason.isEmpty() ? why : reason;
      abandoned |= ofHost;
    }
    boolean unused = cancelled.tryComplete();
  }

  /** Returns the reason why the code is to end; empty if it is not. */
  synchronized String reason() {
    return reason;
  }

  synchronized boolean isAbandoned() {
    return abandoned;
  }

  /** Interrupts the thread of the call while that runs the code. */
  synchronized void interrupt() {
    if (thread != null) {
      thread.interrupt();
    }
  }

  /**
   * Records that the code has outlived a kill.
   *
   * @return whether this is the first time
   */
  synchronized boolean killFailed() {
    boolean first = !wasKillFailed;
    wasKillFailed = true;
    return first;
  }

  /**
   * Returns the stack of the call's thread, or what the call waits for, in at most 4,000
   * characters.
   */
  String stack() {
    Thread its;
    synchronized (this) {
      its = thread;
    }
    if (its == null) {
      return "its code has returned, and the future that it returned has not completed";
    }
    String frames =
        Arrays.stream(its.getStackTrace())
            .limit(MOST_FRAMES)
            .map(frame -> "\tat " + frame)
            .collect(Collectors.joining("\n"));
    String text = "thread %s\n%s".formatted(its.getName(), frames);
    return text.length() <= MOST_STACK ? text : text.substring(0, MOST_STACK);
  }

  /** Sets the progress that people see. */
  synchronized void progress(String text) {
    progress = FileContent.of(RunFiles.line(text).getBytes(StandardCharsets.UTF_8));
    progresses++;
  }

  /**
   * Sets the checkpoint of the next run.
   *
   * @throws IllegalArgumentException if it is too long
   */
  void checkpoint(Object state) {
    FileContent content = Checkpoints.written(state);
    synchronized (this) {
      checkpoint = content;
      checkpoints++;
    }
  }

  /** Returns what the call has reported under a name, as if it were a file of its run. */
  synchronized FileLook look(String name, @Nullable FileStamp known) {
    boolean isProgress = name.equals(RunFiles.PROGRESS);
    FileContent content = isProgress ? progress : checkpoint;
    if (content == null) {
      return FileLook.NONE;
    }
    int number = isProgress ? progresses : checkpoints;
    FileStamp stamp = new FileStamp(name + number, number, FileTime.fromMillis(0));
    return new FileLook(stamp, Objects.equals(stamp, known) ? null : content, null);
  }

  /**
   * Returns the output that the call leaves.
   *
   * @param logEnd end of its log; null without one
   * @param result its result; null for none
   * @param refusal why its result is not kept; null if it is
   */
  synchronized RunOutput output(
      @Nullable FileContent logEnd, @Nullable FileContent result, @Nullable String refusal) {
    RunOutput left =
        new RunOutput(
            progress == null ? null : progress.text(),
            checkpoint,
            result,
            logEnd,
            refusal == null ? List.of() : List.of(refusal),
            refusal);
    return left.withoutCheckpoint(request.checkpoint());
  }
}
