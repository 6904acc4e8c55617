package io.callboard.workflows.internal.protocol;

import org.jspecify.annotations.Nullable;

/** Answers of the worker registry. */
public sealed interface WorkersAnswer {
  /**
   * A desk may begin.
   *
   * @param state what is durable, with the epoch of the desk
   */
  record Opened(WorkersState state) implements WorkersAnswer {}

  /** Answer that the change is durable. */
  record Done() implements WorkersAnswer {}

  /**
   * Answer that the change was refused.
   *
   * @param why reason, for people
   * @param epoch epoch of the present desk, as the registry knows it, if it was refused because
   *     another one is present; else null, also from a node of an earlier version
   */
  record Denied(String why, @Nullable Long epoch) implements WorkersAnswer {}
}
