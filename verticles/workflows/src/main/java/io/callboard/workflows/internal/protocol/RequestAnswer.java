package io.callboard.workflows.internal.protocol;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Answer to a request for a run. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "is")
@JsonSubTypes({
  @JsonSubTypes.Type(value = RequestAnswer.Queued.class, name = "queued"),
  @JsonSubTypes.Type(value = RequestAnswer.Refused.class, name = "refused"),
  @JsonSubTypes.Type(value = RequestAnswer.Outdated.class, name = "outdated")
})
public sealed interface RequestAnswer {
  /**
   * The desk has the request: queued, assigned or running.
   *
   * @param epoch epoch of the desk; a desk of another epoch is to be asked again
   * @param worker name of the worker that has accepted it; null while it waits
   */
  record Queued(long epoch, @Nullable String worker) implements RequestAnswer {}

  /**
   * The desk does not take the request now; it is to be repeated after the delay.
   *
   * @param why reason, for people
   * @param retryAfter delay
   */
  record Refused(String why, Duration retryAfter) implements RequestAnswer {}

  /**
   * The desk forgets the request: another node owns the instance by now, and requests what it has
   * open. Not given to a node of an earlier version, whose requests name no epoch.
   *
   * @param owner epoch of the present owner
   */
  record Outdated(long owner) implements RequestAnswer {}
}
