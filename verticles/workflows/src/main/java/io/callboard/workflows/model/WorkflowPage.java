package io.callboard.workflows.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Page of a list of instances.
 *
 * @param items its instances
 * @param next cursor of the next page; null if this is the last
 * @param partial whether instances may be missing: those of a node that does not answer, or is
 *     still reading them
 * @param missing nodes that were asked and do not answer, or have no index of instances; empty
 *     unless it is partial
 */
public record WorkflowPage(
    List<InstanceRow> items, @Nullable String next, boolean partial, List<String> missing) {
  /** Copies the lists. */
  public WorkflowPage {
    items = List.copyOf(items);
    missing = List.copyOf(missing);
  }
}
