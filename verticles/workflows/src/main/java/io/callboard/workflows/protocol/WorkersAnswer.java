package io.callboard.workflows.protocol;

/** Answers of the worker master. */
public sealed interface WorkersAnswer {
  /**
   * A desk may begin.
   *
   * @param state what is durable, with the epoch of the desk
   */
  record Opened(WorkersState state) implements WorkersAnswer {}

  /** It is durable. */
  record Done() implements WorkersAnswer {}

  /**
   * It was refused.
   *
   * @param why reason, for people
   */
  record Denied(String why) implements WorkersAnswer {}
}
