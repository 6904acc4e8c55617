package io.callboard.internal.inmemory;

import io.callboard.ActorRef;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.HeldMessage;
import io.callboard.internal.context.NodeContext;
import io.callboard.internal.mailbox.AnsweredReply;
import io.callboard.internal.mailbox.Delivery;
import io.callboard.internal.mailbox.Reply;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to have a receiver handle a held message: its reply, and its ticket, which can be
 * taken back. The first report of the receiver is the outcome. Any thread.
 */
public final class DeliveryAttempt implements HeldMessage.Attempt, Reply, Delivery.Ticket {
  private final NodeContext node;
  private final HeldMessageImpl<?> kept;
  private final Promise<Void> outcome;
  private final AtomicReference<Place> place = new AtomicReference<>(Place.WAITS);
  private volatile long begunNanos;
  private volatile boolean handled;

  private enum Place {
    /** Attempt whose message is in the mailbox, or on its way there. */
    WAITS,
    BEGUN,
    TAKEN_BACK
  }

  /** Called on the holder's context. */
  DeliveryAttempt(NodeContext node, HeldMessageImpl<?> kept) {
    this.node = node;
    this.kept = kept;
    this.outcome = node.promises().here();
  }

  // Calls of the keeper.

  @Override
  public Future<Void> outcome() {
    return outcome.future();
  }

  @Override
  public boolean takeBack() {
    boolean taken = place.compareAndSet(Place.WAITS, Place.TAKEN_BACK);
    if (taken) {
      boolean unused =
          failed(
              new CallboardException(
                  Code.CONFLICT, "the delivery was taken back before the receiver began it"));
    }
    return taken;
  }

  @Override
  public OptionalLong begunNanos() {
    return place.get() == Place.BEGUN ? OptionalLong.of(begunNanos) : OptionalLong.empty();
  }

  @Override
  public boolean isHandling() {
    return place.get() == Place.BEGUN && !handled;
  }

  // Calls of the mailbox of the receiver.

  @Override
  public boolean redeem() {
    if (place.get() != Place.WAITS) {
      return place.get() == Place.BEGUN; // it was put aside, or taken back
    } else if (kept.lapsed() || kept.isOver()) {
      boolean unused = takeBack();
      return false;
    }
    begunNanos = node.nanoTime();
    return place.compareAndSet(Place.WAITS, Place.BEGUN);
  }

  @Override
  public boolean aside() {
    return true;
  }

  // Reports of the receiver.

  private void succeeded() {
    boolean unused = outcome.tryComplete();
  }

  private boolean failed(Throwable cause) {
    return outcome.tryFail(cause);
  }

  @Override
  public void succeed(Object answer) {
    if (!kept.answer(answer)) {
      kept.answeredLate(answer);
    }
    succeeded();
  }

  @Override
  public void fail(Throwable cause) {
    handled = true;
    failedInAnswer(cause);
  }

  private void failedInAnswer(Throwable cause) {
    if (!failed(cause)) {
      kept.failedLate(cause);
    }
  }

  @Override
  public void refuse(Throwable cause) {
    kept.refused(cause);
    succeeded();
  }

  @Override
  public void released() {
    handled = true;
    doneWithoutAnswer();
  }

  private void doneWithoutAnswer() {
    boolean unused = kept.done();
    succeeded();
  }

  @Override
  public boolean isAwaited() {
    return kept.back().isAwaited();
  }

  @Override
  public boolean takesAll() {
    return true;
  }

  @Override
  public boolean isOver() {
    return kept.isOver() || place.get() == Place.TAKEN_BACK;
  }

  @Override
  public @Nullable ActorRef<?> actor() {
    return kept.back().actor();
  }

  @Override
  public Reply way() {
    return new Way();
  }

  @Override
  public Reply rest() {
    return new Rest();
  }

  /** Reply of a handler that may be given before or after its end; the reply alone counts. */
  private final class Way implements Reply {
    @Override
    public void succeed(Object answer) {
      DeliveryAttempt.this.succeed(answer);
    }

    @Override
    public void fail(Throwable cause) {
      failedInAnswer(cause);
    }

    @Override
    public void refuse(Throwable cause) {
      DeliveryAttempt.this.refuse(cause);
    }

    @Override
    public void released() {
      doneWithoutAnswer();
    }

    @Override
    public boolean isAwaited() {
      return DeliveryAttempt.this.isAwaited();
    }

    @Override
    public boolean takesAll() {
      return true;
    }

    @Override
    public boolean isOver() {
      return DeliveryAttempt.this.isOver();
    }

    @Override
    public @Nullable ActorRef<?> actor() {
      return DeliveryAttempt.this.actor();
    }
  }

  /** Reports the end of a handler that gave its reply away. */
  private final class Rest extends AnsweredReply {
    @Override
    public void fail(Throwable cause) {
      handled = true;
      boolean unused = failed(cause);
    }

    @Override
    public void released() {
      handled = true;
    }
  }
}
