package io.callboard.jobs.internal.transition;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Row of a table of transitions: of the rows of a trigger, the first one that fits the state and
 * whose condition holds is taken.
 *
 * @param <S> the states
 */
public interface Transition<S extends Enum<S>> {
  /** Returns the trigger of the row. */
  JobTrigger trigger();

  /**
   * Returns the states from which the row is taken; empty for a row that is taken before there is a
   * state.
   */
  Set<S> from();

  /** Returns the condition, for people; empty if there is none. */
  String condition();

  /** Returns the next state; null if the state stays. */
  @Nullable S to();

  /** Returns the effects, in the order of their declaration. */
  Set<JobEffect> effects();

  /** Returns whether the row has that effect. */
  default boolean has(JobEffect effect) {
    return effects().contains(effect);
  }

  /** Returns whether the row is for that state; null if there is nothing yet. */
  default boolean fits(@Nullable S state) {
    return state == null ? from().isEmpty() : from().contains(state);
  }

  /** Returns the rows of a table by their triggers, in order. */
  static <R extends Transition<?>> Map<JobTrigger, List<R>> byTrigger(R[] table) {
    Map<JobTrigger, List<R>> rules = new EnumMap<>(JobTrigger.class);
    for (JobTrigger each : JobTrigger.values()) {
      rules.put(each, Arrays.stream(table).filter(rule -> rule.trigger() == each).toList());
    }
    return rules;
  }
}
