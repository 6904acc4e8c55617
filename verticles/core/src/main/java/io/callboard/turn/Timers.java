package io.callboard.turn;

import io.callboard.mailbox.Delivery;
import io.callboard.mailbox.Reply;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The timers of one started actor object, by key. One that is cancelled or started again is not
 * handled any more, also if its message waits in the mailbox already. Used on the actor's context
 * only.
 */
final class Timers {
  private final Vertx vertx;
  private final Consumer<Delivery> toSelf;
  private final Map<String, Timer> byKey = new HashMap<>();

  Timers(Vertx vertx, Consumer<Delivery> toSelf) {
    this.vertx = vertx;
    this.toSelf = toSelf;
  }

  /** Is the ticket of its own messages. */
  private final class Timer implements Delivery.Ticket {
    private final String key;
    private final Object message;
    private final boolean periodic;
    private long id;
    private volatile boolean waits;

    Timer(String key, Object message, boolean periodic) {
      this.key = key;
      this.message = message;
      this.periodic = periodic;
    }

    /** A periodic one whose last message still waits adds no other. */
    void fired() {
      if (!waits) {
        waits = true;
        toSelf.accept(new Delivery(message, Reply.NONE, Delivery.NEVER, this));
      }
    }

    @Override
    public void lost() {
      waits = false;
    }

    @Override
    public boolean redeem() {
      waits = false;
      return periodic ? byKey.get(key) == this : byKey.remove(key, this);
    }
  }

  void start(String key, Duration delay, Object message, boolean periodic) {
    cancel(key);
    Timer timer = new Timer(key, message, periodic);
    long millis = Math.max(1, delay.toMillis());
    timer.id =
        periodic
            ? vertx.setPeriodic(millis, id -> timer.fired())
            : vertx.setTimer(millis, id -> timer.fired());
    byKey.put(key, timer);
  }

  void cancel(String key) {
    Timer timer = byKey.remove(key);
    if (timer != null) {
      vertx.cancelTimer(timer.id);
    }
  }

  void cancelAll() {
    byKey.values().forEach(timer -> vertx.cancelTimer(timer.id));
    byKey.clear();
  }
}
