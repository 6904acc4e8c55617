package io.callboard.workflows.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Notice that an instance has ended, sent to the actor that its request names: once per end, in the
 * turn in which it ends, and once more for each retry or rerun that ends.
 *
 * @param instance id of the instance
 * @param definition name of its definition
 * @param state how it ended
 * @param reason why it failed or was cancelled; null for none
 * @param at time of the end
 */
public record InstanceEnded(
    String instance, String definition, InstanceState state, @Nullable String reason, Instant at) {}
