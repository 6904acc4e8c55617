package io.callboard.turn;

import io.callboard.ActorRef;
import io.callboard.mailbox.Reply;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The way back of a message that was passed on by one who wants to know when it is over. */
final class PassedOn implements Reply {
  private final Reply back;
  private final Runnable over;
  private final AtomicBoolean told = new AtomicBoolean();

  /**
   * @param over called once, on any thread
   */
  PassedOn(Reply back, Runnable over) {
    this.back = back;
    this.over = over;
  }

  @Override
  public void succeed(Object answer) {
    released();
    back.succeed(answer);
  }

  @Override
  public void fail(Throwable cause) {
    released();
    back.fail(cause);
  }

  @Override
  public void released() {
    if (told.compareAndSet(false, true)) {
      over.run();
      back.released();
    }
  }

  @Override
  public boolean isAwaited() {
    return back.isAwaited();
  }

  @Override
  public boolean isOver() {
    return back.isOver();
  }

  @Override
  public @Nullable String address() {
    return back.address();
  }

  @Override
  public @Nullable ActorRef<?> actor() {
    return back.actor();
  }
}
