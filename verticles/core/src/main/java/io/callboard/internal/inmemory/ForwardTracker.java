package io.callboard.internal.inmemory;

import io.callboard.ActorRef;
import io.callboard.internal.mailbox.Reply;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The way back of a message that was passed on by one who wants to know when it is over: when its
 * handler is done, not when it is answered; when it is lost; when it travels on to another node. If
 * it is put aside or forwarded that is still to come.
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

  /** Its message is answered, and not over. */
  private final class Answered implements Reply {
    private final Reply further;

    /**
     * @param further of the one that passed it on before
     */
    Answered(Reply further) {
      this.further = further;
    }

    @Override
    public Reply way() {
      return Reply.NONE;
    }

    @Override
    public Reply rest() {
      return this;
    }

    @Override
    public void succeed(Object answer) {}

    @Override
    public void fail(Throwable cause) {
      released();
    }

    @Override
    public void released() {
      tell();
      further.released();
    }

    @Override
    public boolean isAwaited() {
      return false;
    }
  }
}
