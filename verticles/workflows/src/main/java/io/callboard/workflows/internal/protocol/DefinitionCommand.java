package io.callboard.workflows.internal.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Commands of the actor of one definition. */
public sealed interface DefinitionCommand {
  /**
   * Makes a version the current one, and stores it if it is new; answered with it.
   *
   * @param version its version
   * @param definition canonical JSON of the definition, as {@link DefinitionText} packs it
   * @param at time of the request
   */
  record Put(String version, JsonNode definition, Instant at) implements DefinitionCommand {}

  /**
   * Asks for a version; answered with it, or with {@link DefinitionAnswer.Missing}.
   *
   * @param version the version; null for the current one
   * @param known version whose definition the asker has, so that the answer need not contain it;
   *     null for none
   */
  record Read(@Nullable String version, @Nullable String known) implements DefinitionCommand {}

  /** Asks for all versions; answered with them. */
  record ReadAll() implements DefinitionCommand {}
}
