package io.callboard.workflows.condition;

/** Mistake in the text of a condition. */
public final class ConditionException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int position;

  ConditionException(int position, String message) {
    super(message);
    this.position = position;
  }

  /** Returns the position of the mistake in the text, from 1. */
  public int position() {
    return position + 1;
  }
}
