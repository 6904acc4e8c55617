package io.callboard.workflows.definition;

import io.callboard.workflows.condition.Condition;
import io.callboard.workflows.graph.StepGraph;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Definition without errors. Made by {@link DefinitionCheck}.
 *
 * @param definition the definition
 * @param graph its graph; the steps of the section {@code finally} come last
 * @param conditions conditions by step, of the steps that have one
 * @param version SHA-256 of its canonical JSON, in hexadecimal digits
 */
public record CheckedDefinition(
    WorkflowDefinition definition,
    StepGraph graph,
    Map<String, Condition> conditions,
    String version) {
  /** Copies the conditions. */
  public CheckedDefinition {
    conditions = Map.copyOf(conditions);
  }

  /** Returns the definition of the step of an index. */
  public StepDefinition step(int index) {
    String id = graph.step(index).id();
    return Objects.requireNonNull(
        graph.step(index).last() ? definition.last().get(id) : definition.steps().get(id));
  }

  /** Returns the condition of the step of an index; empty if it has none. */
  public Optional<Condition> condition(int index) {
    return Optional.ofNullable(conditions.get(graph.step(index).id()));
  }
}
