package io.callboard.workflows.graph;

import io.callboard.time.Machine;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Directed acyclic graph of steps, by index. Made by {@link GraphCheck}, which has found no defect
 * in it. Immutable.
 */
@Machine
public final class StepGraph {
  private final List<GraphStep> steps;
  private final Map<String, Integer> byId;
  private final int[][] sources;
  private final int[][] targets;
  private final int[][] positions;
  private final int[] order;
  private final int[] levels;
  private final int[] heights;
  private final int depth;

  /**
   * Creates the graph.
   *
   * @param steps its steps
   * @param sources of each step, the source of each edge in the order of declaration
   * @param order the steps in topological order
   */
  StepGraph(List<GraphStep> steps, int[][] sources, int[] order) {
    this.steps = List.copyOf(steps);
    this.sources = sources;
    this.targets = new int[order.length][];
    this.positions = new int[order.length][];
    this.order = order;
    this.byId = new HashMap<>();
    for (int i = 0; i < steps.size(); i++) {
      byId.put(steps.get(i).id(), i);
    }
    turn();
    this.levels = new int[order.length];
    this.heights = new int[order.length];
    int deepest = 0;
    for (int step : order) {
      for (int source : sources[step]) {
        levels[step] = Math.max(levels[step], levels[source] + 1);
      }
      deepest = Math.max(deepest, levels[step] + 1);
    }
    for (int i = order.length - 1; i >= 0; i--) {
      for (int target : targets[order[i]]) {
        heights[order[i]] = Math.max(heights[order[i]], heights[target] + 1);
      }
    }
    this.depth = deepest;
  }

  /** Derives the targets of each step from the sources. */
  private void turn() {
    int[] counts = new int[order.length];
    for (int[] each : sources) {
      for (int source : each) {
        counts[source]++;
      }
    }
    for (int step = 0; step < order.length; step++) {
      targets[step] = new int[counts[step]];
      positions[step] = new int[counts[step]];
    }
    int[] filled = new int[order.length];
    for (int step = 0; step < order.length; step++) {
      for (int position = 0; position < sources[step].length; position++) {
        int source = sources[step][position];
        targets[source][filled[source]] = step;
        positions[source][filled[source]++] = position;
      }
    }
  }

  /** Returns the number of steps, those of the section {@code finally} included. */
  public int size() {
    return order.length;
  }

  /** Returns the step of an index. */
  public GraphStep step(int index) {
    return steps.get(index);
  }

  /** Returns the index of a step; empty if there is none of that id. */
  public OptionalInt index(String id) {
    Integer index = byId.get(id);
    return index == null ? OptionalInt.empty() : OptionalInt.of(index);
  }

  /** Returns the indexes of all steps in topological order, sources before their targets. */
  public int[] order() {
    return order.clone();
  }

  /** Returns how many edges the longest path to a step has: its column in a picture. */
  public int level(int step) {
    return levels[step];
  }

  /** Returns how many edges the longest path from a step has; the highest steps start first. */
  public int height(int step) {
    return heights[step];
  }

  /** Returns how many steps the longest path has. */
  public int depth() {
    return depth;
  }

  /** Returns the source of each edge to a step, in the order of declaration. */
  int[] sources(int step) {
    return sources[step];
  }

  /** Returns the steps that the edges from a step lead to. */
  int[] targets(int step) {
    return targets[step];
  }

  /** Returns, beside {@link #targets}, the position of each edge among those of its target. */
  int[] positions(int step) {
    return positions[step];
  }

  /** Returns the edge from a step to the n-th of its targets. */
  StepEdge edge(int step, int nth) {
    return steps.get(targets[step][nth]).after().get(positions[step][nth]);
  }

  boolean isLast(int step) {
    return steps.get(step).last();
  }
}
