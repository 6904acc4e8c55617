package io.callboard.workflows.actor;

import io.callboard.workflows.definition.CheckedDefinition;
import io.callboard.workflows.instance.StepInputs;
import java.time.Instant;

/**
 * Version of a definition as a node has read it.
 *
 * @param definition the definition
 * @param inputs inputs of its steps
 * @param createdAt when it was stored first
 */
public record LoadedDefinition(
    CheckedDefinition definition, StepInputs inputs, Instant createdAt) {}
