package io.callboard.workflows.graph;

import io.callboard.codecs.internal.text.Suggestions;
import io.callboard.time.Machine;
import io.callboard.workflows.graph.GraphDefect.Code;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Checks a definition's steps: reports all defects at once, or makes a graph. Linear in steps and
 * edges for a graph without a cycle; with one, a limited search for a short one is added.
 */
@Machine
public final class GraphCheck {
  /** Maximum number of steps of a definition. */
  public static final int MOST_STEPS = 10_000;

  /** Maximum number of edges of a definition. */
  public static final int MOST_EDGES = 100_000;

  /** Maximum number of steps on one path. */
  public static final int MOST_DEPTH = 1_000;

  /** Maximum number of defects that get a similar name as a hint: each is a search. */
  private static final int MOST_HINTS = 20;

  /** Maximum number of steps of a cycle that are all named; of a longer one, the ends are. */
  private static final int MOST_NAMED = 20;

  private final List<GraphStep> steps;
  private final Map<String, Integer> byId = new HashMap<>();

  /** The steps with those of their edges that lead from a step. */
  private final List<GraphStep> sound = new ArrayList<>();

  private final List<GraphDefect> defects = new ArrayList<>();

  private GraphCheck(List<GraphStep> steps) {
    this.steps = steps;
  }

  /**
   * Result of a check.
   *
   * @param graph the graph; empty if there are defects
   * @param defects all of them
   * @param sound what is known of the steps in any case
   */
  public record Result(Optional<StepGraph> graph, List<GraphDefect> defects, SoundSteps sound) {}

  /** Checks the steps of a definition, those of the section {@code finally} included. */
  public static Result of(List<GraphStep> steps) {
    return new GraphCheck(List.copyOf(steps)).check();
  }

  private Result check() {
    if (steps.stream().allMatch(GraphStep::last)) {
      add(Code.WF010, "", "/steps", "the definition has no steps", "give at least one in steps");
    }
    int edges = steps.stream().mapToInt(step -> step.after().size()).sum();
    if (steps.size() > MOST_STEPS || edges > MOST_EDGES) {
      add(
          Code.WF009,
          "",
          "/steps",
          "the definition has %,d steps and %,d edges".formatted(steps.size(), edges),
          "the limits are %,d and %,d: split it into sub-workflows"
              .formatted(MOST_STEPS, MOST_EDGES));
      return new Result(Optional.empty(), defects, SoundSteps.none(steps));
    }
    index();
    int[][] sources = new int[steps.size()][];
    for (int step = 0; step < steps.size(); step++) {
      sources[step] = sources(step);
    }
    TopologicalOrder order = new TopologicalOrder(sources);
    cycles(order, sources);
    contradictions(order, sources);
    depth(order, sources);
    SoundSteps known = new SoundSteps(steps, sound, sources, order.sorted());
    return defects.isEmpty()
        ? new Result(Optional.of(new StepGraph(steps, sources, order.sorted())), List.of(), known)
        : new Result(Optional.empty(), defects, known);
  }

  private void add(Code code, String step, String pointer, String message, String hint) {
    defects.add(new GraphDefect(code, step, pointer, message, hint));
  }

  private void index() {
    for (int i = 0; i < steps.size(); i++) {
      GraphStep step = steps.get(i);
      Integer first = byId.putIfAbsent(step.id(), i);
      if (first != null) {
        add(
            Code.WF004,
            step.id(),
            step.pointer(),
            "there are two steps \"%s\"".formatted(step.id()),
            "give one of them another id");
      }
    }
  }

  /** Returns the sources of a step's edges that lead from a step, and reports the others. */
  private int[] sources(int index) {
    GraphStep step = steps.get(index);
    List<Integer> found = new ArrayList<>();
    List<StepEdge> kept = new ArrayList<>();
    Map<String, EdgeCondition> seen = new HashMap<>();
    for (StepEdge edge : step.after()) {
      EdgeCondition before = seen.putIfAbsent(edge.from(), edge.on());
      Integer source = byId.get(edge.from());
      if (before != null) {
        twice(step, edge, before);
      } else if (source == null) {
        unknown(step, edge);
      } else if (steps.get(source).last() != step.last()) {
        acrossSections(step, edge);
      } else {
        found.add(source);
        kept.add(edge);
      }
    }
    boolean all = kept.size() == step.after().size();
    sound.add(
        all ? step : new GraphStep(step.id(), kept, step.join(), step.allowFailure(), step.last()));
    return found.stream().mapToInt(Integer::intValue).toArray();
  }

  private void twice(GraphStep step, StepEdge edge, EdgeCondition before) {
    boolean contradictory =
        step.join() == Join.ALL
            && before != edge.on()
            && List.of(before, edge.on())
                .containsAll(List.of(EdgeCondition.SUCCESS, EdgeCondition.FAILURE));
    if (contradictory) {
      contradiction(step, edge.from());
    } else {
      add(
          Code.WF005,
          step.id(),
          step.edgePointer(edge.from()),
          "%s has two edges from %s, on %s and on %s"
              .formatted(step.id(), edge.from(), before.word(), edge.on().word()),
          "keep one: ok is success or skipped, any is every settlement");
    }
  }

  private void unknown(GraphStep step, StepEdge edge) {
    String hint =
        (defects.size() < MOST_HINTS
                ? Suggestions.of(edge.from(), byId.keySet())
                : Optional.<String>empty())
            .map(Suggestions::question)
            .orElse("name a step of this definition");
    add(
        Code.WF002,
        step.id(),
        step.edgePointer(edge.from()),
        "there is no step \"%s\"".formatted(edge.from()),
        hint);
  }

  private void acrossSections(GraphStep step, StepEdge edge) {
    add(
        Code.WF002,
        step.id(),
        step.edgePointer(edge.from()),
        step.last()
            ? "the finally step %s cannot wait for %s, which is in steps"
                .formatted(step.id(), edge.from())
            : "%s cannot wait for %s, which is a finally step".formatted(step.id(), edge.from()),
        "finally steps begin when all others are settled");
  }

  /** Reports a short path of each cycle, and the steps that wait for one. */
  private void cycles(TopologicalOrder order, int[][] sources) {
    Cycles cycles = new Cycles(sources, order.unsorted());
    for (int[] cycle : cycles.shortest()) {
      GraphStep first = steps.get(cycle[0]);
      GraphStep last = steps.get(cycle[cycle.length - 1]);
      add(
          Code.WF001,
          first.id(),
          first.edgePointer(last.id()),
          cycle.length > MOST_NAMED
              ? "these %,d steps wait for each other: %s → … → %s → %s"
                  .formatted(
                      cycle.length,
                      path(Arrays.copyOf(cycle, MOST_NAMED - 1)),
                      last.id(),
                      first.id())
              : "these steps wait for each other: %s → %s".formatted(path(cycle), first.id()),
          "remove one of these edges");
    }
    for (int step : order.unsorted()) {
      if (!cycles.contains(step)) {
        GraphStep its = steps.get(step);
        add(
            Code.WF003,
            its.id(),
            its.pointer(),
            "%s can never start: it waits for steps that wait for each other".formatted(its.id()),
            "");
      }
    }
  }

  private String path(int[] some) {
    return Arrays.stream(some)
        .mapToObj(step -> steps.get(step).id())
        .collect(Collectors.joining(" → "));
  }

  /**
   * Reports joins that need both the success and the failure of a step, over any path; not those on
   * a cycle or behind one, nor of any one edge where an edge is wrong.
   */
  private void contradictions(TopologicalOrder order, int[][] sources) {
    int[][] needed = sources.clone();
    for (int step = 0; step < needed.length; step++) {
      if (steps.get(step).join() == Join.ANY && sound.get(step) != steps.get(step)) {
        needed[step] = new int[0]; // the wrong edge may be the one that suffices
      }
    }
    Requirements.of(sound, needed, order.sorted())
        .forEach((step, source) -> contradiction(steps.get(step), steps.get(source).id()));
  }

  /** Reports a path that is too long, among the steps that are on no cycle and behind none. */
  private void depth(TopologicalOrder order, int[][] sources) {
    int[] depths = new int[sources.length];
    int deepest = 0;
    for (int step : order.sorted()) {
      depths[step] = 1;
      for (int source : sources[step]) {
        depths[step] = Math.max(depths[step], depths[source] + 1);
      }
      deepest = Math.max(deepest, depths[step]);
    }
    if (deepest > MOST_DEPTH) {
      add(
          Code.WF009,
          "",
          "/steps",
          "the longest path has %,d steps".formatted(deepest),
          "the limit is %,d: split it into sub-workflows".formatted(MOST_DEPTH));
    }
  }

  private void contradiction(GraphStep step, String source) {
    add(
        Code.WF006,
        step.id(),
        step.pointer() + "/after",
        "%s can never run: it needs the success and the failure of %s".formatted(step.id(), source),
        "use join: any, or one of them");
  }
}
