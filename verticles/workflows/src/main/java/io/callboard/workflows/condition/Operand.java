package io.callboard.workflows.condition;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import java.util.List;
import java.util.Set;

/** Value in a condition. */
public sealed interface Operand {
  /** Returns the value; JSON's null if there is none. */
  JsonNode value(StepData data);

  /** Adds the step whose output the operand reads, if it reads one. */
  void addSteps(Set<String> steps);

  /**
   * Constant.
   *
   * @param constant its value
   */
  record Literal(JsonNode constant) implements Operand {
    @Override
    public JsonNode value(StepData data) {
      return constant;
    }

    @Override
    public void addSteps(Set<String> steps) {}
  }

  /**
   * Place in the input of the instance, or in the output of a step.
   *
   * @param step id of the step; empty for the input
   * @param parts names and indexes that lead to the place
   */
  record Path(String step, List<Part> parts) implements Operand {
    @Override
    public JsonNode value(StepData data) {
      JsonNode at =
          step.isEmpty() ? data.input() : data.outputs().getOrDefault(step, NullNode.getInstance());
      for (Part part : parts) {
        at = part.name().isEmpty() ? at.path(part.index()) : at.path(part.name());
      }
      return at.isMissingNode() ? NullNode.getInstance() : at;
    }

    @Override
    public void addSteps(Set<String> steps) {
      if (!step.isEmpty()) {
        steps.add(step);
      }
    }
  }

  /**
   * Part of a path.
   *
   * @param name name of a field; empty for an index
   * @param index index into an array, from 0
   */
  record Part(String name, int index) {}
}
