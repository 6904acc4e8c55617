package io.callboard.turn;

import io.callboard.CallboardException;
import io.callboard.mailbox.Delivery;
import io.callboard.mailbox.Reply;
import io.callboard.mailbox.VolatileMailbox;
import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;

/**
 * Handles the mail of a volatile actor through one of its lives: message after message, in slices,
 * on its context. Between two slices the other actors of its zone have their turn.
 */
final class VolatileTurns {
  /** Messages of a slice, at most. */
  private static final int SLICE = 256;

  /** Time after which a slice ends, looked at every {@link #LOOK} messages. */
  private static final long QUANTUM_NANOS = 2_000_000;

  private static final int LOOK = 16;

  private final CallboardRuntime runtime;
  private final Owner owner;
  private final Incarnation incarnation;
  private final VolatileScope scope;
  private final VolatileMailbox mailbox;
  private volatile boolean over;

  /** Whose turns they are. */
  interface Owner {
    /** The next of what was put aside and taken up again; null if there is none. */
    @Nullable Object unstashed();

    /** So many more messages were handled. */
    void handled(int count);

    /** This life cannot go on. Called on the actor's context. */
    void crashed(Throwable cause);

    /** A message that is not handled because its deadline has passed. */
    void overdue(Delivery delivery);
  }

  VolatileTurns(
      CallboardRuntime runtime,
      Owner owner,
      Incarnation incarnation,
      VolatileScope scope,
      VolatileMailbox mailbox) {
    this.runtime = runtime;
    this.owner = owner;
    this.incarnation = incarnation;
    this.scope = scope;
    this.mailbox = mailbox;
  }

  Incarnation incarnation() {
    return incarnation;
  }

  VolatileScope scope() {
    return scope;
  }

  /** Nothing more is handled. Any thread. */
  void end() {
    over = true;
  }

  /** The mailbox was woken: handles what is in it. Any thread. */
  void schedule() {
    incarnation.run(this::slice);
  }

  private void slice() {
    int handled = 0;
    long endNanos = 0;
    boolean goesOn = true;
    while (goesOn && handled < SLICE && !over) {
      if (handled % LOOK == 0) {
        long now = runtime.nanoTime();
        if (handled == 0) {
          endNanos = now + QUANTUM_NANOS;
        } else if (now - endNanos >= 0) {
          break;
        }
      }
      Object next = owner.unstashed();
      if (next == null) {
        next = mailbox.poll();
      }
      if (next == null) {
        owner.handled(handled);
        rest();
        return;
      }
      handled++;
      goesOn = handle(next);
    }
    owner.handled(handled);
    if (goesOn && !over) {
      incarnation.yield(this::slice, runtime::later);
    }
  }

  /** Nothing waits, for the moment; what the actor takes up from its stash comes within a turn. */
  private void rest() {
    if (mailbox.restOrGoOn()) {
      schedule();
    }
  }

  /** Whether the next can follow at once; if not, it follows elsewhere, or never. */
  private boolean handle(Object item) {
    Object message = item;
    Reply reply = Reply.NONE;
    if (item instanceof Delivery delivery) {
      if (delivery.isOverdue(runtime.nanoTime())) {
        owner.overdue(delivery);
        return true;
      } else if (!delivery.redeem()) {
        return true;
      }
      message = delivery.message();
      reply = delivery.reply();
    }
    scope.begin(item, reply);
    Future<?> result;
    try {
      result = incarnation.receive(message);
    } catch (Throwable failure) {
      owner.crashed(failure);
      return false;
    }
    if (result == null || result.succeeded()) {
      scope.end();
      return true;
    } else if (result.isComplete()) {
      owner.crashed(result.cause());
      return false;
    }
    incarnation.await(result, this::settled);
    return false;
  }

  private void settled(@Nullable Throwable failure) {
    if (over) {
      return;
    } else if (failure != null) {
      owner.crashed(failure);
    } else {
      scope.end();
      slice();
    }
  }

  /** What was being handled when this life ended. On the actor's context, or after its end. */
  void failCurrent(CallboardException cause) {
    Object current = scope.current();
    scope.end();
    if (current instanceof Delivery delivery) {
      delivery.reply().fail(cause);
    }
  }
}
