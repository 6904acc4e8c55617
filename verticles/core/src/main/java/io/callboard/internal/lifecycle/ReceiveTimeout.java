package io.callboard.internal.lifecycle;

import io.callboard.internal.mailbox.Delivery;
import io.callboard.internal.mailbox.Reply;
import io.callboard.time.Time;
import io.vertx.core.Context;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Timer that sends an actor a message whenever it has handled none for a while. A handled message
 * costs one reading of the clock, no timer. Used on the actor's context only.
 */
final class ReceiveTimeout implements Delivery.Ticket {
  private final Time time;
  private final Context context;
  private final long limitNanos;
  private final Object message;
  private final Consumer<Delivery> toSelf;
  private long lastNanos;
  private Time.@Nullable Alarm alarm;
  private boolean armed;
  private boolean over;

  /**
   * @param context the actor's
   */
  ReceiveTimeout(
      Time time, Context context, Duration limit, Object message, Consumer<Delivery> toSelf) {
    this.time = time;
    this.context = context;
    this.limitNanos = limit.toNanos();
    this.message = message;
    this.toSelf = toSelf;
    handled();
  }

  /** Records that a message was handled. */
  void handled() {
    lastNanos = time.nanoTime();
    if (!armed && !over) {
      arm(limitNanos);
    }
  }

  private void arm(long nanos) {
    armed = true;
    alarm = time.after(context, Duration.ofNanos(nanos), this::look);
  }

  private void look() {
    long left = limitNanos - (time.nanoTime() - lastNanos);
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
    if (alarm != null) {
      alarm.cancel();
    }
  }

  @Override
  public boolean isOwn() {
    return true;
  }

  /** Drops the timeout's message if another message was handled while it waited. */
  @Override
  public boolean redeem() {
    return !over && !armed;
  }
}
