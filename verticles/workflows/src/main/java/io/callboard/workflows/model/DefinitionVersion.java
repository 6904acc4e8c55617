package io.callboard.workflows.model;

import io.callboard.workflows.definition.WorkflowDefinition;
import java.time.Instant;

/**
 * Stored version of a definition.
 *
 * @param name name of the definition
 * @param version its version, the SHA-256 of its canonical JSON
 * @param createdAt when that version was stored first
 * @param definition the definition
 * @param isNew whether the request stored it; false if it was there, and for one that was read
 */
public record DefinitionVersion(
    String name, String version, Instant createdAt, WorkflowDefinition definition, boolean isNew) {}
