package io.callboard.workflows.internal.instance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.callboard.codecs.BlobRef;
import io.callboard.supervision.Causes;
import io.callboard.time.Machine;
import io.callboard.workflows.condition.Condition;
import io.callboard.workflows.condition.StepData;
import io.callboard.workflows.definition.CheckedDefinition;
import io.callboard.workflows.definition.MergeRule;
import io.callboard.workflows.definition.StepParameters;
import io.callboard.workflows.graph.GraphStep;
import io.callboard.workflows.graph.StepEdge;
import io.callboard.workflows.graph.StepGraph;
import io.callboard.workflows.graph.StepState;
import io.callboard.workflows.internal.protocol.InstanceData;
import io.callboard.workflows.internal.protocol.StepRecord;
import io.callboard.workflows.merge.MergeException;
import io.callboard.workflows.merge.Merger;
import io.callboard.workflows.merge.SourceMerge;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Inputs of the steps of a definition, from the state of an instance. */
@Machine
public final class StepInputs {
  /** Maximum number of characters of all errors that a step sees, unless each is a short one. */
  static final int MOST_ERRORS = 64 * 1024;

  private static final int SHORTEST_ERROR = 100;

  private final CheckedDefinition definition;
  private final StepGraph graph;
  private final SourceMerge merge;
  private final int[][] sources;

  /**
   * Creates the inputs of a definition's steps.
   *
   * @param mergers mergers of the application, by name
   */
  public StepInputs(CheckedDefinition definition, Map<String, Merger> mergers) {
    this.definition = definition;
    this.graph = definition.graph();
    this.merge = new SourceMerge(definition, mergers);
    this.sources = new int[graph.size()][];
    for (int step = 0; step < sources.length; step++) {
      sources[step] =
          graph.step(step).after().stream().mapToInt(edge -> index(edge.from())).toArray();
    }
  }

  /**
   * Returns the input of a step: {@code {input, outputs, errors?, merged?, large?}} of the steps
   * before it over any path; {@code merged} only of its direct sources, if it has a rule for that;
   * {@code large} tells of outputs that are by reference: {@code {step: {instance, bytes}}}.
   *
   * @param undo whether it is for the compensation of the step, which sees its output, too
   */
  public ObjectNode of(int step, InstanceData data, boolean undo) {
    ObjectNode input = JsonNodeFactory.instance.objectNode();
    input.set("input", data.created().input());
    ObjectNode outputs = input.putObject("outputs");
    ObjectNode errors = JsonNodeFactory.instance.objectNode();
    ObjectNode large = JsonNodeFactory.instance.objectNode();
    for (int before : before(step, data, undo)) {
      String id = graph.step(before).id();
      StepRecord its = data.steps().get(id);
      if (its.blob() != null) {
        large.putObject(id).put("instance", data.created().id()).put("bytes", its.blob().bytes());
      } else if (its.output() != null) {
        outputs.set(id, its.output());
      } else if (its.state() == StepState.FAILED && its.reason() != null) {
        errors.put(id, its.reason());
      }
    }
    cut(errors);
    if (!errors.isEmpty()) {
      input.set("errors", errors);
    }
    if (!large.isEmpty()) {
      input.set("large", large);
    }
    Integer winner = data.steps().get(graph.step(step).id()).winner();
    try {
      merged(step, data, winner == null ? -1 : winner)
          .ifPresent(merged -> input.set("merged", merged));
    } catch (MergeException e) { // it could be merged when the step began
      errors.put(graph.step(step).id(), String.valueOf(e.getMessage()));
      input.set("errors", errors);
    }
    return input;
  }

  /** Cuts errors that are long together: each of them is in the view of its step. */
  private static void cut(ObjectNode errors) {
    long characters = 0;
    for (JsonNode each : errors) {
      characters += each.textValue().length();
    }
    if (characters > MOST_ERRORS) {
      int most = Math.max(SHORTEST_ERROR, MOST_ERRORS / errors.size());
      errors
          .properties()
          .forEach(
              each ->
                  each.setValue(TextNode.valueOf(Causes.cut(each.getValue().textValue(), most))));
    }
  }

  /**
   * Returns the input of the instance that runs a step, or what undoes it: that of the step, and
   * its parameters.
   */
  public ObjectNode ofChild(int step, InstanceData data, boolean undo) {
    ObjectNode input = of(step, data, undo);
    input.set("with", StepParameters.of(definition.step(step), undo));
    return input;
  }

  /** Returns the references to the large outputs that a step sees, by id of their step. */
  public Map<String, BlobRef> large(int step, InstanceData data, boolean undo) {
    Map<String, BlobRef> large = new TreeMap<>();
    for (int before : before(step, data, undo)) {
      BlobRef blob = data.steps().get(graph.step(before).id()).blob();
      if (blob != null) {
        large.put(graph.step(before).id(), blob);
      }
    }
    return large;
  }

  /**
   * Returns the output of an instance for the step that it runs for: the outputs of the steps that
   * no other follows, by id, without those of the section {@code finally}, and those by reference.
   */
  public ObjectNode ofParent(InstanceData data) {
    ObjectNode outputs = JsonNodeFactory.instance.objectNode();
    for (String step : results()) {
      JsonNode output = data.steps().get(step).output();
      if (output != null) {
        outputs.set(step, output);
      }
    }
    return outputs;
  }

  /** Returns the references to the large outputs of an instance, for the step that it runs for. */
  public Map<String, BlobRef> largeOfParent(InstanceData data) {
    Map<String, BlobRef> large = new TreeMap<>();
    for (String step : results()) {
      BlobRef blob = data.steps().get(step).blob();
      if (blob != null) {
        large.put(step, blob);
      }
    }
    return large;
  }

  /** Returns the steps that no other follows, but for those of the section {@code finally}. */
  private List<String> results() {
    BitSet followed = new BitSet(graph.size());
    for (int step = 0; step < graph.size(); step++) {
      for (int source : sources[step]) {
        followed.set(source);
      }
    }
    return IntStream.range(0, graph.size())
        .filter(step -> !followed.get(step) && !graph.step(step).last())
        .mapToObj(step -> graph.step(step).id())
        .toList();
  }

  /**
   * Returns why a step cannot begin, although its sources are settled; empty if it can: outputs of
   * its sources cannot be merged, or what its condition or its merge reads is by reference.
   *
   * @param winner position of the edge that was first, with {@code join: any}; -1 otherwise
   */
  Optional<String> conflict(int step, InstanceData data, int winner) {
    try {
      Optional<String> unreadable = unreadable(step, data, winner);
      if (unreadable.isEmpty()) {
        Optional<JsonNode> unused = merged(step, data, winner);
      }
      return unreadable;
    } catch (MergeException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  private Optional<String> unreadable(int step, InstanceData data, int winner) {
    Set<String> compared = definition.condition(step).map(Condition::steps).orElse(Set.of());
    Optional<String> condition = unreadable("condition", compared, data);
    boolean merges = definition.step(step).merge().kind() != MergeRule.Kind.NAMESPACED;
    List<StepEdge> all = graph.step(step).after();
    List<StepEdge> edges = winner < 0 || !merges ? all : List.of(all.get(winner));
    return condition.isPresent() || !merges
        ? condition
        : unreadable("merge", edges.stream().map(StepEdge::from).toList(), data);
  }

  private static Optional<String> unreadable(
      String reader, Collection<String> steps, InstanceData data) {
    return steps.stream()
        .filter(each -> data.steps().get(each).blob() != null)
        .findFirst()
        .map(
            each ->
                "its %s reads the output of step %s, which has %,d bytes and is by reference: that is possible up to %,d bytes; let a step before it return what is to be read"
                    .formatted(
                        reader,
                        each,
                        Objects.requireNonNull(data.steps().get(each).blob()).bytes(),
                        OutputCheck.MOST_OUTPUT));
  }

  /**
   * Returns whether the condition of a step holds. One that reads an output by reference does, and
   * is a {@link #conflict}.
   */
  boolean holds(int step, InstanceData data) {
    Condition condition = definition.condition(step).orElse(null);
    if (condition == null) {
      return true;
    }
    Map<String, JsonNode> outputs = new HashMap<>();
    for (String read : condition.steps()) {
      if (data.steps().get(read).blob() != null) {
        return true;
      }
      JsonNode output = data.steps().get(read).output();
      if (output != null) {
        outputs.put(read, output);
      }
    }
    return condition.holds(new StepData(data.created().input(), outputs));
  }

  private Optional<JsonNode> merged(int step, InstanceData data, int winner) throws MergeException {
    Map<String, JsonNode> outputs = new HashMap<>();
    for (StepEdge edge : graph.step(step).after()) {
      JsonNode output = data.steps().get(edge.from()).output();
      if (output != null) {
        outputs.put(edge.from(), output);
      }
    }
    return merge.merged(step, winner, outputs);
  }

  private int index(String id) {
    return graph.index(id).orElseThrow(() -> new IllegalStateException("no step " + id));
  }

  /**
   * Returns the steps before a step, over any path on which it waited; before a finally step, all
   * others, too. All of them are settled, so the same step always sees the same.
   */
  private List<Integer> before(int step, InstanceData data, boolean itself) {
    BitSet seen = new BitSet(graph.size());
    ArrayDeque<Integer> queue = new ArrayDeque<>();
    List<Integer> found = new ArrayList<>();
    if (itself) {
      found.add(step);
    }
    queue.add(step);
    for (Integer next = queue.poll(); next != null; next = queue.poll()) {
      for (int source : sources(next, data)) {
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

  /** Returns the sources of a step that decided it: with {@code join: any}, the first one. */
  private int[] sources(int step, InstanceData data) {
    StepRecord its = data.steps().get(graph.step(step).id());
    return its.winner() == null ? sources[step] : new int[] {sources[step][its.winner()]};
  }
}
