package io.callboard.workflows.merge;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Json;
import io.callboard.supervision.Causes;
import io.callboard.time.Machine;
import io.callboard.workflows.definition.CheckedDefinition;
import io.callboard.workflows.definition.MergeRule;
import io.callboard.workflows.definition.StepDefinition;
import io.callboard.workflows.graph.StepEdge;
import io.callboard.workflows.graph.StepGraph;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;

/** Merge of the outputs of the sources of each step of a definition, by its rule. */
@Machine
public final class SourceMerge {
  /** Maximum size of what an own merger returns, as JSON: that of all outputs that it merges. */
  static final int MOST_MERGED = 256 * 1024;

  private static final Merger DISJOINT = new DisjointMerger();
  private static final Merger TOPOLOGICAL = new TopologicalMerger();

  private final CheckedDefinition definition;
  private final Map<String, Merger> own;

  /**
   * Creates the merge.
   *
   * @param own mergers of the application, by name
   */
  public SourceMerge(CheckedDefinition definition, Map<String, Merger> own) {
    this.definition = definition;
    this.own = Map.copyOf(own);
  }

  /**
   * Returns the merged input of a step; empty if its rule merges nothing, or no source has an
   * output.
   *
   * @param winner position of the edge that was first, with {@code join: any}; -1 otherwise
   * @param outputs outputs of the steps that succeeded, by id
   * @throws MergeException if the outputs cannot be merged, which fails the step
   */
  public Optional<JsonNode> merged(int step, int winner, Map<String, JsonNode> outputs)
      throws MergeException {
    StepDefinition its = definition.step(step);
    if (its.merge().kind() == MergeRule.Kind.NAMESPACED) {
      return Optional.empty();
    }
    List<SourceOutput> sources = sources(its.after(), winner, outputs);
    if (sources.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        switch (its.merge().kind()) {
          case TOPO -> TOPOLOGICAL.merge(sources);
          case OWN -> own(its.merge().name(), sources);
          default -> DISJOINT.merge(sources);
        });
  }

  /** Calls an own merger, which may throw anything, and change what it gets: copies. */
  private JsonNode own(String name, List<SourceOutput> sources) throws MergeException {
    Merger merger = own.get(name);
    if (merger == null) {
      throw new MergeException(
          "this node has no merger \"%s\"; it has %s"
              .formatted(
                  name, own.isEmpty() ? "none" : String.join(", ", new TreeSet<>(own.keySet()))));
    }
    JsonNode merged;
    try {
      List<SourceOutput> copies = sources.stream().map(SourceOutput::copy).toList();
      merged = Objects.requireNonNull(merger.merge(copies), "it returned null");
    } catch (MergeException e) {
      throw e;
    } catch (Throwable e) { // an Error of it is no failure of the instance
      throw new MergeException(
          "the merger \"%s\" failed: %s".formatted(name, Causes.message(e)), e);
    }
    check(name, merged);
    return merged;
  }

  private static void check(String name, JsonNode merged) throws MergeException {
    int bytes;
    try {
      bytes = Json.data("the result of the merger \"%s\"".formatted(name), merged).length;
    } catch (CodecException e) {
      throw new MergeException(String.valueOf(e.getMessage()), e);
    }
    if (bytes > MOST_MERGED) {
      throw new MergeException(
          "the result of the merger \"%s\" has %,d bytes as JSON; the limit is %,d"
              .formatted(name, bytes, MOST_MERGED));
    }
  }

  private List<SourceOutput> sources(
      List<StepEdge> edges, int winner, Map<String, JsonNode> outputs) {
    StepGraph graph = definition.graph();
    List<SourceOutput> sources = new ArrayList<>();
    for (StepEdge edge : winner < 0 ? edges : List.of(edges.get(winner))) {
      JsonNode output = outputs.get(edge.from());
      if (output != null && !output.isNull() && !output.isMissingNode()) {
        sources.add(new SourceOutput(edge.from(), output));
      }
    }
    sources.sort(
        Comparator.comparingInt((SourceOutput source) -> graph.level(index(source)))
            .thenComparingInt(this::index));
    return List.copyOf(sources);
  }

  private int index(SourceOutput source) {
    return definition.graph().index(source.step()).orElseThrow();
  }
}
