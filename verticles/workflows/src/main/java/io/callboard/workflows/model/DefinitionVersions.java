package io.callboard.workflows.model;

import java.util.List;

/**
 * Stored versions of definitions.
 *
 * @param items those that this node can read
 * @param unreadable the others
 */
public record DefinitionVersions(
    List<DefinitionVersion> items, List<UnreadableVersion> unreadable) {
  /** Copies the lists. */
  public DefinitionVersions {
    items = List.copyOf(items);
    unreadable = List.copyOf(unreadable);
  }

  /** Returns the versions of several, one after the other. */
  public static DefinitionVersions of(List<DefinitionVersions> parts) {
    return new DefinitionVersions(
        parts.stream().flatMap(part -> part.items().stream()).toList(),
        parts.stream().flatMap(part -> part.unreadable().stream()).toList());
  }
}
