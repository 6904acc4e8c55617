package io.callboard.workflows.internal.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Durable state of a definition: its versions.
 *
 * @param current the current version; null if there is none yet
 * @param versions all versions, the oldest first
 */
public record DefinitionData(@Nullable String current, List<Version> versions) {
  /** State before the first version. */
  public static final DefinitionData NONE = new DefinitionData(null, List.of());

  /** Copies the list. */
  public DefinitionData {
    versions = List.copyOf(versions);
  }

  /**
   * Version of a definition.
   *
   * @param version SHA-256 of its canonical JSON
   * @param definition its canonical JSON, as {@link DefinitionText} packs it
   * @param createdAt when it was stored first
   */
  public record Version(String version, JsonNode definition, Instant createdAt) {}

  /** Returns how many bytes the definitions of all versions take where they are stored. */
  public long stored() {
    return versions.stream().mapToLong(each -> DefinitionText.size(each.definition())).sum();
  }

  /** Returns a version; empty if there is none. */
  public Optional<Version> version(@Nullable String which) {
    return versions.stream().filter(each -> each.version().equals(which)).findFirst();
  }

  /** Returns the state after an event. */
  public DefinitionData after(DefinitionEvent event) {
    if (event instanceof DefinitionEvent.Stored stored) {
      List<Version> more = new ArrayList<>(versions);
      more.add(new Version(stored.version(), stored.definition(), stored.at()));
      return new DefinitionData(stored.version(), more);
    }
    return new DefinitionData(((DefinitionEvent.MadeCurrent) event).version(), versions);
  }
}
