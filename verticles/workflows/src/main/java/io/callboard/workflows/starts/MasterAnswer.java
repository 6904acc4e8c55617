package io.callboard.workflows.starts;

/** Answers of the workflow master. */
public sealed interface MasterAnswer {
  /**
   * State that the start desk begins with.
   *
   * @param state durable state, with the epoch of the desk
   */
  record Opened(MasterState state) implements MasterAnswer {}

  /** A command was carried out. */
  record Done() implements MasterAnswer {}

  /**
   * A command was refused.
   *
   * @param why reason, for people
   */
  record Denied(String why) implements MasterAnswer {}
}
