package io.callboard.workflows.internal.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.BlobRef;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Request for one run of a step by a worker. Two requests of one {@link #key} ask for the same run.
 *
 * @param instance id of the instance
 * @param definition name of its definition, between which workers are shared fairly
 * @param step id of the step
 * @param attempt number of the attempt, from 1; a lost run is repeated within its attempt
 * @param run number of the run, from 1
 * @param type what it runs, as in the definition: {@code handler:name}, {@code handler:name@major}
 *     or {@code http}
 * @param priority 0 to 9, higher first
 * @param weight share of the definition among those that wait, at least 1
 * @param timeout longest time of the run on its worker; null for none
 * @param readyAt when the step became ready, by the clock of the instance's node
 * @param node name of the node that runs the instance, where a report is cheapest
 * @param input data of the step: {@code {input, outputs: {step: …}, errors?, merged?, large?}}
 * @param with parameters of the step, an object
 * @param idempotencyKey key for the effects of the step: the same for all its attempts and runs,
 *     another for its compensation and for each time that it is run again on purpose
 * @param large where the large outputs are that the step sees, by id of the step; null for none
 * @param owner epoch in which {@code node} owns the instance, as it knew when it sent this: the
 *     desk takes no requests of a former owner; null from an older version
 * @param repeated whether it was sent before: its run may have been settled without this desk's
 *     knowing it, so a worker asks the instance before it begins; null from an older version
 * @param given life of a worker to which a desk has given it, as its node was told: if that is
 *     over, the run may have begun there, and is lost; null if its node was not told
 */
public record StepRequest(
    String instance,
    String definition,
    String step,
    int attempt,
    int run,
    String type,
    int priority,
    int weight,
    @Nullable Duration timeout,
    Instant readyAt,
    String node,
    JsonNode input,
    JsonNode with,
    String idempotencyKey,
    @Nullable Map<String, BlobRef> large,
    @Nullable Long owner,
    @Nullable Boolean repeated,
    @Nullable WorkerId given) {
  /**
   * Returns the request as a node sends it, for the first time or again.
   *
   * @param to the worker that has it, as the node was told; null for none
   */
  public StepRequest sent(long epoch, boolean again, @Nullable WorkerId to) {
    return new StepRequest(
        instance,
        definition,
        step,
        attempt,
        run,
        type,
        priority,
        weight,
        timeout,
        readyAt,
        node,
        input,
        with,
        idempotencyKey,
        large,
        epoch,
        again,
        to);
  }

  /** Returns whether the request may be for a run that has been settled. */
  public boolean isRepeated() {
    return repeated != null && repeated;
  }

  /** Returns the identity of the run. */
  public StepRunKey key() {
    return new StepRunKey(instance, step, run);
  }
}
