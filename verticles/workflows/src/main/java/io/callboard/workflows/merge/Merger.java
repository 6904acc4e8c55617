package io.callboard.workflows.merge;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * Merger of the outputs of a step's sources. Must not block, and must return the same for the same
 * outputs: it is called again when an instance moves to another node.
 */
@FunctionalInterface
public interface Merger {
  /**
   * Returns the merged input, up to 256 KiB as JSON.
   *
   * @param outputs at least one output, in topological order: copies for this call
   * @throws MergeException if they cannot be merged, which fails the step, as does whatever else it
   *     throws
   */
  JsonNode merge(List<SourceOutput> outputs) throws MergeException;
}
