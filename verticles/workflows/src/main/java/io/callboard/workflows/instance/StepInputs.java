package io.callboard.workflows.instance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.time.Machine;
import io.callboard.workflows.condition.Condition;
import io.callboard.workflows.condition.StepData;
import io.callboard.workflows.definition.CheckedDefinition;
import io.callboard.workflows.definition.MergeRule;
import io.callboard.workflows.graph.GraphStep;
import io.callboard.workflows.graph.StepEdge;
import io.callboard.workflows.graph.StepGraph;
import io.callboard.workflows.graph.StepState;
import io.callboard.workflows.protocol.InstanceData;
import io.callboard.workflows.protocol.StepRecord;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Data of the steps of a definition: what a step sees of its instance. */
@Machine
public final class StepInputs {
  private final CheckedDefinition definition;
  private final StepGraph graph;
  private final int[] rank;

  /** Creates the inputs of a definition's steps. */
  public StepInputs(CheckedDefinition definition) {
    this.definition = definition;
    this.graph = definition.graph();
    this.rank = new int[graph.size()];
    int[] order = graph.order();
    for (int i = 0; i < order.length; i++) {
      rank[order[i]] = i;
    }
  }

  /**
   * Returns the input of a step: {@code {input, outputs, errors?, merged?}} of the steps before it
   * over any path; {@code merged} only of its direct sources, if it has a rule for that.
   *
   * @param undo whether it is for the compensation of the step, which sees its output, too
   */
  public ObjectNode of(int step, InstanceData data, boolean undo) {
    ObjectNode input = JsonNodeFactory.instance.objectNode();
    input.set("input", data.created().input());
    ObjectNode outputs = input.putObject("outputs");
    ObjectNode errors = JsonNodeFactory.instance.objectNode();
    for (int before : before(step, undo)) {
      String id = graph.step(before).id();
      StepRecord its = data.steps().get(id);
      if (its.output() != null) {
        outputs.set(id, its.output());
      } else if (its.state() == StepState.FAILED && its.reason() != null) {
        errors.put(id, its.reason());
      }
    }
    if (!errors.isEmpty()) {
      input.set("errors", errors);
    }
    if (definition.step(step).merge() != MergeRule.NAMESPACED) {
      input.set("merged", merge(step, data).merged());
    }
    return input;
  }

  /** Returns why the outputs of a step's sources cannot be merged; empty if they can. */
  Optional<String> conflict(int step, InstanceData data) {
    return definition.step(step).merge() == MergeRule.NAMESPACED
        ? Optional.empty()
        : Optional.ofNullable(merge(step, data).conflict());
  }

  /** Returns whether the condition of a step holds. */
  boolean holds(int step, InstanceData data) {
    Condition condition = definition.condition(step).orElse(null);
    if (condition == null) {
      return true;
    }
    Map<String, JsonNode> outputs = new HashMap<>();
    for (String read : condition.steps()) {
      JsonNode output = data.steps().get(read).output();
      if (output != null) {
        outputs.put(read, output);
      }
    }
    return condition.holds(new StepData(data.created().input(), outputs));
  }

  private OutputMerge merge(int step, InstanceData data) {
    List<Integer> sources = new ArrayList<>();
    for (StepEdge edge : graph.step(step).after()) {
      sources.add(index(edge.from()));
    }
    sources.sort(Comparator.comparingInt(each -> rank[each]));
    Map<String, JsonNode> outputs = new LinkedHashMap<>();
    for (int source : sources) {
      JsonNode output = data.steps().get(graph.step(source).id()).output();
      if (output != null) {
        outputs.put(graph.step(source).id(), output);
      }
    }
    return OutputMerge.of(definition.step(step).merge(), outputs);
  }

  private int index(String id) {
    return graph.index(id).orElseThrow(() -> new IllegalStateException("no step " + id));
  }

  /** Returns the steps before a step, over any path; before a finally step, all others, too. */
  private List<Integer> before(int step, boolean itself) {
    BitSet seen = new BitSet(graph.size());
    ArrayDeque<Integer> queue = new ArrayDeque<>();
    List<Integer> found = new ArrayList<>();
    if (itself) {
      found.add(step);
    }
    queue.add(step);
    for (Integer next = queue.poll(); next != null; next = queue.poll()) {
      for (StepEdge edge : graph.step(next).after()) {
        int source = index(edge.from());
        if (!seen.get(source)) {
          seen.set(source);
          found.add(source);
          queue.add(source);
        }
      }
    }
    GraphStep its = graph.step(step);
    for (int other = 0; its.last() && other < graph.size(); other++) {
      if (!graph.step(other).last()) {
        found.add(other);
      }
    }
    return found;
  }
}
