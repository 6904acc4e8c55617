package io.callboard.bench;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jctools.queues.MpscUnboundedArrayQueue;

/** The least that could be called an actor: a queue, drained in batches on an event loop. */
final class QueueTroupe implements Troupe {
  private static final int BATCH = 256;
  private static final int CHUNK = 1024;

  private final Vertx vertx;

  QueueTroupe(Vertx vertx) {
    this.vertx = vertx;
  }

  @Override
  public Target start(Handler handler) throws Exception {
    return new Player(Stand.next(vertx).context(), handler);
  }

  private static final class Player implements Target {
    private final MpscUnboundedArrayQueue<Signal> queue = new MpscUnboundedArrayQueue<>(CHUNK);
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private final Context context;
    private final Handler handler;

    Player(Context context, Handler handler) {
      this.context = context;
      this.handler = handler;
    }

    @Override
    public void tell(Signal signal) {
      queue.offer(signal);
      wake();
    }

    private void wake() {
      if (!scheduled.get() && scheduled.compareAndSet(false, true)) {
        context.runOnContext(v -> drain());
      }
    }

    private void drain() {
      for (int i = 0; i < BATCH; i++) {
        Signal next = queue.poll();
        if (next == null) {
          break;
        }
        handler.handle(next, Target::tell);
      }
      scheduled.set(false);
      if (!queue.isEmpty()) {
        wake();
      }
    }
  }

  /** The Vert.x is its owner's. */
  @Override
  public void close() {}
}
