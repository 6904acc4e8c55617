package io.callboard.jobs.testing;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.Json;
import io.callboard.jobs.internal.call.Checkpoints;
import io.callboard.jobs.model.FileContent;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Outcome of a tested run, as its job would learn it. Immutable. */
public final class TestedJobOutcome {
  /** End of a run. */
  public enum End {
    /** End of a run whose handler returned. */
    SUCCEEDED,
    /** End of a run whose handler failed, or that was over its timeout. */
    FAILED,
    /** End of a run whose job was cancelled. */
    CANCELLED,
    /** End of a run whose node stopped, or lost its session: it is no attempt. */
    LOST
  }

  private final End end;
  private final @Nullable FileContent result;
  private final @Nullable String note;
  private final @Nullable String error;
  private final @Nullable Throwable failure;
  private final @Nullable Duration pause;
  private final @Nullable FileContent checkpoint;
  private final @Nullable String progress;
  private final List<String> log;

  TestedJobOutcome(
      End end,
      @Nullable FileContent result,
      @Nullable String note,
      @Nullable String error,
      @Nullable Throwable failure,
      @Nullable Duration pause,
      @Nullable FileContent checkpoint,
      @Nullable String progress,
      List<String> log) {
    this.end = end;
    this.result = result;
    this.note = note;
    this.error = error;
    this.failure = failure;
    this.pause = pause;
    this.checkpoint = checkpoint;
    this.progress = progress;
    this.log = List.copyOf(log);
  }

  /** Returns how the run ended. */
  public End end() {
    return end;
  }

  /** Returns the result of the job; empty without one, or if the run did not succeed. */
  public Optional<JsonNode> result() {
    return result(JsonNode.class);
  }

  /**
   * Returns the result of the job as a value.
   *
   * @throws io.callboard.codecs.CodecException if it cannot be read as that type
   */
  public <T> Optional<T> result(Class<T> type) {
    return Optional.ofNullable(result)
        .map(content -> Json.read("the result of the job", content.bytes(), type));
  }

  /** Returns why a result is not kept, although the run succeeded. */
  public Optional<String> note() {
    return Optional.ofNullable(note);
  }

  /** Returns why the run did not succeed, as the job shows it; empty if it did. */
  public Optional<String> error() {
    return Optional.ofNullable(error);
  }

  /**
   * Returns the exception that the handler threw, or with which its future failed, if that counts.
   */
  public Optional<Throwable> failure() {
    return Optional.ofNullable(failure);
  }

  /** Returns whether the job runs again by itself: in another attempt, or as the run was lost. */
  public boolean runsAgain() {
    return pause != null;
  }

  /**
   * Returns the pause before the job runs again: that of the rule of the handler, or the longest of
   * the retry policy, whose upper half is random; none of a run that was lost. Empty if the job
   * does not run again.
   */
  public Optional<Duration> pause() {
    return Optional.ofNullable(pause);
  }

  /**
   * Returns the checkpoint that a next run would get: the last of this run or, without one, of
   * those before; empty after a success.
   *
   * @throws io.callboard.codecs.CodecException if it cannot be read as that type
   */
  public <C> Optional<C> checkpoint(Class<C> type) {
    return Checkpoints.read("under test", checkpoint, type);
  }

  @Nullable FileContent kept() {
    return checkpoint;
  }

  /** Returns the last progress, as people see it: one line, of at most 500 characters. */
  public Optional<String> progress() {
    return Optional.ofNullable(progress);
  }

  /** Returns what the handler logged, in order, without the stack that a failed run logs. */
  public List<String> log() {
    return log;
  }

  @Override
  public String toString() {
    String what = error == null ? String.valueOf(result().orElse(null)) : error;
    String then = pause == null ? "" : ", runs again after " + pause;
    return "%s: %s%s".formatted(end, what, then);
  }
}
