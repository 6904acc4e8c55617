package io.callboard.internal.zone;

import io.netty.util.concurrent.EventExecutor;
import io.vertx.core.internal.VertxInternal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Watchdog of the event loops of a Vert.x instance: each is asked for a sign of life, and asked
 * again when it has given one. So any code that blocks a loop is noticed, an actor's or not.
 */
final class EventLoopWatch {
  private final List<Probe> probes = new ArrayList<>();

  private static final class Probe implements Runnable {
    private final EventExecutor loop;
    private volatile @Nullable Thread thread;
    private volatile boolean asked;
    private volatile long askedAt;
    private boolean standing;

    Probe(EventExecutor loop) {
      this.loop = loop;
    }

    @Override
    public void run() {
      thread = Thread.currentThread();
      asked = false;
    }

    void ask(long nowNanos) {
      if (asked) {
        return;
      }
      askedAt = nowNanos;
      asked = true;
      standing = false;
      try {
        loop.execute(this);
      } catch (RejectedExecutionException e) { // the Vert.x closes
        asked = false;
      }
    }
  }

  EventLoopWatch(VertxInternal vertx, long nowNanos) {
    for (EventExecutor loop : vertx.nettyEventLoopGroup()) {
      Probe probe = new Probe(loop);
      probe.ask(nowNanos);
      probes.add(probe);
    }
  }

  int size() {
    return probes.size();
  }

  /**
   * Asks the loops that have answered. What an actor does on a loop is reported by its zone, so the
   * loop counts as silent from when that was last seen; one that was blocked stays so until it
   * answers.
   *
   * @param limitNanos the silence after which a loop is blocked
   * @param inZone whether a thread is busy with a slice of a zone
   * @return the loops that have not answered, with the time since when
   */
  List<ThreadState.Busy> look(long nowNanos, long limitNanos, Predicate<Thread> inZone) {
    List<ThreadState.Busy> silent = new ArrayList<>();
    for (Probe probe : probes) {
      Thread thread = probe.thread;
      if (thread != null && probe.asked) {
        if (!probe.standing && inZone.test(thread)) {
          probe.askedAt = nowNanos;
        } else {
          probe.standing |= nowNanos - probe.askedAt >= limitNanos;
          silent.add(new ThreadState.Busy(thread, probe.askedAt, null));
        }
      }
      probe.ask(nowNanos);
    }
    return silent;
  }
}
