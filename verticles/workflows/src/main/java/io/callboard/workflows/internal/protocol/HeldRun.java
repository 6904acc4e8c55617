package io.callboard.workflows.internal.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Run that a worker holds: it runs there, or has ended and its instance has not confirmed that yet.
 *
 * @param key the run
 * @param node {@link StepRequest#node} of the run
 * @param definition {@link StepRequest#definition} of the run
 * @param type {@link StepRequest#type} of the run
 * @param ended whether it has ended
 * @param heartbeat last heartbeat of its handler; null for none
 * @param zone zone of handlers whose slots it takes; null for one of the worker's own slots
 * @param waits what it waits for although it has a slot, for people; null if its code was called
 * @param heartbeatAt when the worker got the last heartbeat; null for none, or from an older worker
 */
public record HeldRun(
    StepRunKey key,
    String node,
    String definition,
    String type,
    boolean ended,
    @Nullable JsonNode heartbeat,
    @Nullable String zone,
    @Nullable String waits,
    @Nullable Instant heartbeatAt) {}
