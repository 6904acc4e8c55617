package io.callboard.internal.mailbox;

/**
 * Rest of a reply whose answer is given elsewhere: takes the end of the message alone, as {@link
 * #fail} or {@link #released}.
 */
public abstract class AnsweredReply implements Reply {
  @Override
  public final Reply way() {
    return NONE;
  }

  @Override
  public final Reply rest() {
    return this;
  }

  @Override
  public final void succeed(Object answer) {}

  @Override
  public abstract void released();

  @Override
  public final boolean isAwaited() {
    return false;
  }
}
