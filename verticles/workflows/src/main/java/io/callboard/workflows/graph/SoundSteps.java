package io.callboard.workflows.graph;

import io.callboard.time.Machine;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Steps of a definition, by index, with what is known of their graph though it may have defects.
 * Made by {@link GraphCheck}. Immutable.
 */
@Machine
public final class SoundSteps {
  private final List<GraphStep> steps;
  private final List<GraphStep> sound;
  private final int[][] sources;
  private final int[] order;
  private final Map<String, Integer> byId = new HashMap<>();

  /**
   * Creates the steps.
   *
   * @param steps as they are declared
   * @param sound the same with those of their edges that lead from a step
   * @param sources of each step, the source of each such edge in the order of declaration
   * @param order those that are on no cycle and behind none, in topological order
   */
  SoundSteps(List<GraphStep> steps, List<GraphStep> sound, int[][] sources, int[] order) {
    this.steps = List.copyOf(steps);
    this.sound = List.copyOf(sound);
    this.sources = sources;
    this.order = order;
    for (int step = 0; step < steps.size(); step++) {
      Integer unused = byId.putIfAbsent(steps.get(step).id(), step);
    }
  }

  /** Returns steps of whose graph nothing is known. */
  static SoundSteps none(List<GraphStep> steps) {
    return new SoundSteps(steps, steps, new int[steps.size()][0], new int[0]);
  }

  /** Returns the number of steps, those of the section {@code finally} included. */
  public int size() {
    return steps.size();
  }

  /** Returns the step of an index. */
  public GraphStep step(int index) {
    return steps.get(index);
  }

  /** Returns the index of the first step of an id; empty if there is none. */
  public OptionalInt index(String id) {
    Integer index = byId.get(id);
    return index == null ? OptionalInt.empty() : OptionalInt.of(index);
  }

  int[] order() {
    return order;
  }

  /** Returns the sources of those edges of a step that lead from a step. */
  int[] sources(int step) {
    return sources[step];
  }

  /** Returns whether all edges of a step lead from a step. */
  boolean isSound(int step) {
    return sound.get(step).after().size() == steps.get(step).after().size();
  }
}
