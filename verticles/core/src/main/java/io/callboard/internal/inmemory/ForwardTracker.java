package io.callboard.internal.inmemory;

import io.callboard.ActorRef;
import io.callboard.internal.mailbox.AnsweredReply;
import io.callboard.internal.mailbox.Reply;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Reply of a forwarded message that reports when the message is done: when its handler has ended
 * (an answer alone is not enough), when it is lost, or when it leaves for another node. A message
 * that is stashed or forwarded again is not done yet.
 */
final class ForwardTracker implements Reply {
  private final Reply back;
  private final Runnable over;
  private final AtomicBoolean told = new AtomicBoolean();

  /**
   * @param over called once, on any thread
   */
  ForwardTracker(Reply back, Runnable over) {
    this.back = back;
    this.over = over;
  }

  private void tell() {
    if (told.compareAndSet(false, true)) {
      over.run();
    }
  }

  @Override
  public Reply way() {
    return back.way();
  }

  @Override
  public Reply rest() {
    return new Answered(back.rest());
  }

  @Override
  public void succeed(Object answer) {
    back.succeed(answer);
  }

  @Override
  public void fail(Throwable cause) {
    tell();
    back.fail(cause);
  }

  @Override
  public void released() {
    tell();
    back.released();
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

  /** Rest of the reply after the answer: the message is not done yet. */
  private final class Answered extends AnsweredReply {
    private final Reply further;

    /**
     * @param further the rest of the reply that was forwarded before
     */
    Answered(Reply further) {
      this.further = further;
    }

    @Override
    public void fail(Throwable cause) {
      released();
    }

    @Override
    public void released() {
      tell();
      further.released();
    }
  }
}
