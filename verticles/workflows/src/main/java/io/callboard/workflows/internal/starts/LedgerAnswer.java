package io.callboard.workflows.internal.starts;

import io.callboard.codecs.Named;

/** Answers of the start ledger. */
@Named("master-answer")
public sealed interface LedgerAnswer {
  /**
   * State that the start desk begins with.
   *
   * @param state durable state, with the epoch of the desk
   */
  record Opened(LedgerState state) implements LedgerAnswer {}

  /** A command was carried out. */
  record Done() implements LedgerAnswer {}

  /**
   * A command was refused.
   *
   * @param why reason, for people
   */
  record Denied(String why) implements LedgerAnswer {}
}
