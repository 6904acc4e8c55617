package io.callboard.zone;

import io.netty.util.concurrent.EventExecutor;
import io.vertx.core.internal.VertxInternal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Watches the event loops of a Vert.x: each is asked for a sign of life, and asked again when it
 * has given one. So whatever blocks a loop is seen, be it an actor or not.
 */
final class Loops {
  private final List<Probe> probes = new ArrayList<>();

  private static final class Probe implements Runnable {
    private final EventExecutor loop;
    private volatile @Nullable Thread thread;
    private volatile boolean asked;
    private volatile long askedAt;

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
      try {
        loop.execute(this);
      } catch (RejectedExecutionException e) { // the Vert.x closes
        asked = false;
      }
    }
  }

  Loops(VertxInternal vertx, long nowNanos) {
    for (EventExecutor loop : vertx.nettyEventLoopGroup()) {
      Probe probe = new Probe(loop);
      probe.ask(nowNanos);
      probes.add(probe);
    }
  }

  int size() {
    return probes.size();
  }

  /** Asks those that have answered; gives those that have not, since when. */
  List<Seat.Busy> look(long nowNanos) {
    List<Seat.Busy> silent = new ArrayList<>();
    for (Probe probe : probes) {
      Thread thread = probe.thread;
      if (probe.asked && thread != null) {
        silent.add(new Seat.Busy(thread, probe.askedAt, null));
      }
      probe.ask(nowNanos);
    }
    return silent;
  }
}
