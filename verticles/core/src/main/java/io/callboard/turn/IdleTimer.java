package io.callboard.turn;

import io.callboard.mailbox.Delivery;
import io.callboard.mailbox.Reply;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Tells an actor that it has handled nothing for a while, again after each such while. A message
 * costs it a look at the clock, no timer. Used on the actor's context only.
 */
final class IdleTimer implements Delivery.Ticket {
  private final Vertx vertx;
  private final LongSupplier nanoTime;
  private final long limitNanos;
  private final Object message;
  private final Consumer<Delivery> toSelf;
  private long lastNanos;
  private long timer;
  private boolean armed;
  private boolean over;

  IdleTimer(
      Vertx vertx,
      LongSupplier nanoTime,
      Duration limit,
      Object message,
      Consumer<Delivery> toSelf) {
    this.vertx = vertx;
    this.nanoTime = nanoTime;
    this.limitNanos = limit.toNanos();
    this.message = message;
    this.toSelf = toSelf;
    handled();
  }

  /** A message was handled, any one. */
  void handled() {
    lastNanos = nanoTime.getAsLong();
    if (!armed && !over) {
      arm(limitNanos);
    }
  }

  private void arm(long nanos) {
    armed = true;
    long millis = Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos + 999_999));
    timer = vertx.setTimer(millis, id -> look());
  }

  private void look() {
    long left = limitNanos - (nanoTime.getAsLong() - lastNanos);
    if (over) {
      return;
    } else if (left > 0) {
      arm(left);
      return;
    }
    armed = false;
    toSelf.accept(new Delivery(message, Reply.NONE, Delivery.NEVER, this));
  }

  void cancel() {
    over = true;
    vertx.cancelTimer(timer);
  }

  /** Not if another message was handled while this one waited. */
  @Override
  public boolean redeem() {
    return !over && !armed;
  }
}
