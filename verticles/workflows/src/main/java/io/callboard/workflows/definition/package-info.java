/**
 * Definitions of workflows: as Java values, as YAML or JSON, and their check. Without I/O.
 *
 * <p>{@link io.callboard.workflows.definition.DefinitionReader} reads a text and reports all
 * defects at once, each with its line and column; {@link
 * io.callboard.workflows.definition.Workflow} builds the same in Java. Both end in {@link
 * io.callboard.workflows.definition.DefinitionCheck}, so a definition that exists is valid: {@link
 * io.callboard.workflows.definition.CheckedDefinition} carries its graph and its conditions.
 *
 * <p>{@link io.callboard.workflows.definition.DefinitionWriter} writes the canonical JSON: only
 * what differs from the defaults, fields in a fixed order, steps in the order of their declaration.
 * The version of a definition is the SHA-256 of that, so the same content has the same version,
 * whichever way it was written.
 */
@NullMarked
@CheckReturnValue
package io.callboard.workflows.definition;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
