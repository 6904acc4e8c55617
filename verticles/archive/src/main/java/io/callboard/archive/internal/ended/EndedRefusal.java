package io.callboard.archive.internal.ended;

/** Reasons for which rows of what has ended are refused. */
public final class EndedRefusal {
  /** A user has deleted what the row is of: nothing of it is left to be archived. */
  public static final String DELETED = "a user has deleted it";

  private EndedRefusal() {}
}
