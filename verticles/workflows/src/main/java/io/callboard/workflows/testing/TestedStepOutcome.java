package io.callboard.workflows.testing;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.Json;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Outcome of a tested run of a step, as its instance would learn it. Immutable. */
public final class TestedStepOutcome {
  /** End of a run. */
  public enum End {
    /** End of a run whose handler returned, also after it was asked to end. */
    SUCCEEDED,
    /** End of a run whose handler failed, or returned what cannot be an output. */
    FAILED,
    /** End of a run that was over the timeout of its step. */
    TIMEOUT,
    /** End of a run that was cancelled. */
    CANCELLED,
    /** End of a run whose node stopped, or lost its session: it is no attempt. */
    LOST
  }

  private final End end;
  private final @Nullable JsonNode output;
  private final @Nullable String error;
  private final @Nullable Duration pause;
  private final List<JsonNode> heartbeats;

  TestedStepOutcome(
      End end,
      @Nullable JsonNode output,
      @Nullable String error,
      @Nullable Duration pause,
      List<JsonNode> heartbeats) {
    this.end = end;
    this.output = output;
    this.error = error;
    this.pause = pause;
    this.heartbeats = List.copyOf(heartbeats);
  }

  /** Returns how the run ended. */
  public End end() {
    return end;
  }

  /** Returns the output of the step; empty without one, or if the run did not succeed. */
  public Optional<JsonNode> output() {
    return Optional.ofNullable(output).filter(tree -> !tree.isNull());
  }

  /**
   * Returns the output of the step as a value.
   *
   * @throws io.callboard.codecs.CodecException if it cannot be read as that type
   */
  public <T> Optional<T> output(Class<T> type) {
    return output().map(tree -> Json.convert("the output of the step", tree, type));
  }

  /** Returns why the run did not succeed, as the instance shows it; empty if it did. */
  public Optional<String> error() {
    return Optional.ofNullable(error);
  }

  /** Returns whether the step runs again by itself: in another attempt, or as the run was lost. */
  public boolean runsAgain() {
    return pause != null;
  }

  /**
   * Returns the longest pause before the step runs again, of which the upper half is random; none
   * of a run that was lost. Empty if the step does not run again.
   */
  public Optional<Duration> pause() {
    return Optional.ofNullable(pause);
  }

  /** Returns the heartbeats of the handler, in order. */
  public List<JsonNode> heartbeats() {
    return heartbeats;
  }

  @Override
  public String toString() {
    String what = error == null ? String.valueOf(output) : error;
    String then = pause == null ? "" : ", runs again after " + pause;
    return "%s: %s%s".formatted(end, what, then);
  }
}
