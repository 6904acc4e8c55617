package io.callboard.internal.inmemory;

import io.callboard.ActorRef;
import io.callboard.CallboardException;
import io.callboard.HeldMessage;
import io.callboard.internal.lifecycle.ActorEnvironment;
import io.callboard.internal.mailbox.Delivery;
import io.callboard.internal.mailbox.Reply;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Message that an actor holds beyond its handler. It ends exactly once. Thread-safe. */
final class HeldMessageImpl<M> implements HeldMessage<M> {
  private final ActorEnvironment environment;
  private final VolatileActorContext holder;
  private final M message;
  private final Delivery delivery;
  private final Reply back;
  private final AtomicReference<@Nullable End> end = new AtomicReference<>();

  /** End of a held message. */
  enum End {
    ANSWERED,
    /** End without an answer, which may still come from elsewhere. */
    HANDLED,
    /** The receiver failed the ask. */
    REFUSED,
    FAILED,
    PASSED_ON,
    LAPSED
  }

  /**
   * @param message as the holder's handlers got it
   * @param delivery as it was in the mailbox
   * @param back the reply to the message
   */
  HeldMessageImpl(
      ActorEnvironment environment,
      VolatileActorContext holder,
      M message,
      Delivery delivery,
      Reply back) {
    this.environment = environment;
    this.holder = holder;
    this.message = message;
    this.delivery = delivery;
    this.back = back;
  }

  /** Returns the reply to the message. */
  Reply back() {
    return back;
  }

  private boolean ends(End how) {
    return end.compareAndSet(null, how);
  }

  @Override
  public M message() {
    return message;
  }

  @Override
  public Optional<String> attemptOf() {
    return Optional.ofNullable(delivery.attemptOf());
  }

  @Override
  public boolean lapsed() {
    if (end.get() == null) {
      if (delivery.isOverdue(environment.node().nanoTime())) {
        boolean unused = endAsDead(End.LAPSED, CallboardException.overdue(holder.self().path()));
      } else if (back.isOver() && ends(End.LAPSED)) {
        back.released();
      }
    }
    return end.get() == End.LAPSED;
  }

  @Override
  public boolean isOver() {
    return end.get() != null;
  }

  @Override
  public Attempt hand(ActorRef<M> receiver) {
    Objects.requireNonNull(receiver, "receiver is null: give the ref of an actor");
    DeliveryAttempt attempt = new DeliveryAttempt(environment.node(), this);
    environment.sender().hand(receiver, message, attempt, delivery.trace());
    return attempt;
  }

  @Override
  public boolean answer(Object answer) {
    Objects.requireNonNull(answer, "answer is null: give an object, or end it with done()");
    if (!ends(End.ANSWERED)) {
      return false;
    }
    Reply rest = back.rest();
    holder.answered(back.way(), null, answer);
    rest.released();
    return true;
  }

  @Override
  public boolean done() {
    boolean first = ends(End.HANDLED);
    if (first) {
      back.released();
    }
    return first;
  }

  @Override
  public boolean fail(CallboardException cause) {
    Objects.requireNonNull(cause, "cause is null: give the cause that the caller gets");
    return endAsDead(End.FAILED, cause);
  }

  private boolean endAsDead(End how, CallboardException cause) {
    boolean first = ends(how);
    if (first) {
      back.fail(cause);
      environment
          .deadLetters()
          .add(holder.self().path(), delivery.sender(), delivery.message(), cause);
    }
    return first;
  }

  @Override
  public boolean passTo(ActorRef<M> receiver) {
    Objects.requireNonNull(receiver, "receiver is null: give the ref of an actor");
    boolean first = ends(End.PASSED_ON);
    if (first) {
      holder.passOn(receiver, message, back, delivery.trace());
    }
    return first;
  }

  // Calls of its receivers.

  /** Ends the message: a receiver refuses it with a cause. */
  void refused(Throwable cause) {
    if (ends(End.REFUSED)) {
      back.fail(cause);
    }
  }

  /**
   * Takes an answer given after the receiver's handler was done, for example by an actor it
   * forwarded to.
   */
  void answeredLate(Object answer) {
    if (end.compareAndSet(End.HANDLED, End.ANSWERED)) {
      holder.answered(back.way(), null, answer);
    }
  }

  /** Takes a failure given in place of such an answer. */
  void failedLate(Throwable cause) {
    if (end.compareAndSet(End.HANDLED, End.ANSWERED)) {
      back.fail(cause);
    }
  }
}
