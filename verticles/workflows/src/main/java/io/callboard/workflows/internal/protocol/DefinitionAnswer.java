package io.callboard.workflows.internal.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Answers of a definition's actor. */
public sealed interface DefinitionAnswer {
  /**
   * A version.
   *
   * @param version the version
   * @param definition its canonical JSON, as {@link DefinitionText} packs it; null if the asker has
   *     it
   * @param createdAt when it was stored first
   * @param isNew whether the command stored it
   */
  record Is(String version, @Nullable JsonNode definition, Instant createdAt, boolean isNew)
      implements DefinitionAnswer {}

  /**
   * All versions.
   *
   * @param versions the versions, the current one first, then the newest first
   */
  record All(List<Is> versions) implements DefinitionAnswer {
    /** Copies the list. */
    public All {
      versions = List.copyOf(versions);
    }
  }

  /** Answer that there is no such version, or no version at all. */
  record Missing() implements DefinitionAnswer {}

  /**
   * The definition cannot take the version.
   *
   * @param message reason, for people
   */
  record Full(String message) implements DefinitionAnswer {}
}
