package io.callboard.workflows.condition;

import io.callboard.time.Machine;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Condition of a step, parsed. Immutable. */
@Machine
public sealed interface Condition {
  /** Maximum number of characters of a condition. */
  int MOST_LENGTH = 2_000;

  /**
   * Parses a condition.
   *
   * @throws ConditionException if it is not one
   */
  static Condition parse(String text) {
    return new ConditionParser(text).parse();
  }

  /** Returns whether the condition holds for the data of a step. */
  boolean holds(StepData data);

  /** Adds the steps whose outputs the condition reads. */
  void addSteps(Set<String> steps);

  /** Returns the steps whose outputs the condition reads. */
  default Set<String> steps() {
    Set<String> steps = new TreeSet<>();
    addSteps(steps);
    return steps;
  }

  /**
   * Disjunction.
   *
   * @param parts of which one must hold
   */
  record Or(List<Condition> parts) implements Condition {
    @Override
    public boolean holds(StepData data) {
      return parts.stream().anyMatch(part -> part.holds(data));
    }

    @Override
    public void addSteps(Set<String> steps) {
      parts.forEach(part -> part.addSteps(steps));
    }
  }

  /**
   * Conjunction.
   *
   * @param parts which all must hold
   */
  record And(List<Condition> parts) implements Condition {
    @Override
    public boolean holds(StepData data) {
      return parts.stream().allMatch(part -> part.holds(data));
    }

    @Override
    public void addSteps(Set<String> steps) {
      parts.forEach(part -> part.addSteps(steps));
    }
  }

  /**
   * Negation.
   *
   * @param part which must not hold
   */
  record Not(Condition part) implements Condition {
    @Override
    public boolean holds(StepData data) {
      return !part.holds(data);
    }

    @Override
    public void addSteps(Set<String> steps) {
      part.addSteps(steps);
    }
  }

  /**
   * Comparison of two values.
   *
   * @param left left value
   * @param operator how they are compared
   * @param right right value
   */
  record Compared(Operand left, Comparison operator, Operand right) implements Condition {
    @Override
    public boolean holds(StepData data) {
      return operator.holds(left.value(data), right.value(data));
    }

    @Override
    public void addSteps(Set<String> steps) {
      left.addSteps(steps);
      right.addSteps(steps);
    }
  }

  /**
   * Value that must be {@code true}.
   *
   * @param value the value
   */
  record IsTrue(Operand value) implements Condition {
    @Override
    public boolean holds(StepData data) {
      return value.value(data).asBoolean(false) && value.value(data).isBoolean();
    }

    @Override
    public void addSteps(Set<String> steps) {
      value.addSteps(steps);
    }
  }
}
