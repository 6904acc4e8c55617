package io.callboard.workflows.graph;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;

/** Builder of graphs for tests. */
final class Graphs {
  private final List<GraphStep> steps = new ArrayList<>();

  Graphs step(String id) {
    return step(id, Join.ALL, Map.of());
  }

  Graphs step(String id, String from, EdgeCondition on) {
    return step(id, Join.ALL, Map.of(from, on));
  }

  Graphs step(String id, Join join, Map<String, EdgeCondition> after) {
    steps.add(new GraphStep(id, edges(after), join, false, false));
    return this;
  }

  Graphs allow(String id) {
    steps.add(new GraphStep(id, List.of(), Join.ALL, true, false));
    return this;
  }

  Graphs last(String id) {
    steps.add(new GraphStep(id, List.of(), Join.ALL, false, true));
    return this;
  }

  Graphs last(String id, String from, EdgeCondition on) {
    steps.add(new GraphStep(id, List.of(new StepEdge(from, on)), Join.ALL, false, true));
    return this;
  }

  Graphs add(GraphStep step) {
    steps.add(step);
    return this;
  }

  private static List<StepEdge> edges(Map<String, EdgeCondition> after) {
    return after.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .map(each -> new StepEdge(each.getKey(), each.getValue()))
        .toList();
  }

  List<GraphStep> steps() {
    return List.copyOf(steps);
  }

  GraphCheck.Result check() {
    return GraphCheck.of(steps);
  }

  StepGraph graph() {
    GraphCheck.Result result = check();
    return result.graph().orElseThrow(() -> new AssertionError("defects: " + result.defects()));
  }

  GraphRun run(boolean failFast) {
    return run(failFast, step -> true);
  }

  GraphRun run(boolean failFast, IntPredicate when) {
    return new GraphRun(graph(), failFast, when);
  }

  String id(int step) {
    return steps.get(step).id();
  }

  GraphStep of(String id) {
    return steps.get(index(id));
  }

  int index(String id) {
    return graph().index(id).orElseThrow();
  }

  int position(String to, String from) {
    List<StepEdge> edges = of(to).after();
    for (int i = 0; i < edges.size(); i++) {
      if (edges.get(i).from().equals(from)) {
        return i;
      }
    }
    throw new AssertionError("no edge from " + from + " to " + to);
  }

  List<String> ready(List<StepDecision> decisions) {
    return decisions.stream()
        .filter(StepDecision.Ready.class::isInstance)
        .map(each -> id(each.step()))
        .toList();
  }
}
