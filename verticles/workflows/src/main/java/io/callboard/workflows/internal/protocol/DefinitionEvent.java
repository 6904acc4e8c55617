package io.callboard.workflows.internal.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;

/** Events of a definition. */
public sealed interface DefinitionEvent {
  /**
   * A version was stored, and is the current one.
   *
   * @param version the version
   * @param definition canonical JSON of the definition, as {@link DefinitionText} packs it
   * @param at when
   */
  record Stored(String version, JsonNode definition, Instant at) implements DefinitionEvent {}

  /**
   * A version that was stored before is the current one again.
   *
   * @param version the version
   * @param at when
   */
  record MadeCurrent(String version, Instant at) implements DefinitionEvent {}
}
