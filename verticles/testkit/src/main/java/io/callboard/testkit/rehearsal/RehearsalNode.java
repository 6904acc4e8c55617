package io.callboard.testkit.rehearsal;

import static io.callboard.testkit.Futures.await;

import io.callboard.Callboard;
import io.callboard.CallboardOptions;
import io.callboard.store.memory.MemoryCell;
import io.callboard.store.memory.MemoryStore;
import io.callboard.testkit.ManualTime;
import io.callboard.testkit.Stillness;
import io.callboard.zone.ZoneDefaults;
import io.callboard.zone.ZoneOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Life of the node of a rehearsed run, with everything on one event loop, so that runs are
 * deterministic.
 */
final class RehearsalNode {
  private static final Duration LEAP = Duration.ofSeconds(10);
  private static final int MOST_LEAPS = 1_000;
  private static final int SHORT_MS = 10;

  private final ManualTime time;
  private final Vertx vertx;
  private final Callboard callboard;
  private final AtomicReference<@Nullable MemoryStore> store = new AtomicReference<>();

  RehearsalNode(MemoryCell cell, ManualTime time, SeededFaults faults, long seed) {
    this.time = time;
    this.vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1).setUseDaemonThread(true));
    var context = vertx.getOrCreateContext();
    CallboardOptions options =
        new CallboardOptions()
            .name("rehearsed")
            .seed(seed)
            .time(time)
            .zone(ZoneDefaults.DEFAULT, ZoneOptions.eventLoop())
            .zone(ZoneDefaults.TOOLKIT, ZoneOptions.eventLoop())
            .store(
                () -> {
                  MemoryStore made = new MemoryStore(cell, faults.executor(time, context), faults);
                  store.set(made);
                  return made;
                });
    this.callboard = create(options);
    time.stillness(Stillness.of(callboard));
  }

  /** A node that does not start leaves no threads. */
  private Callboard create(CallboardOptions options) {
    try {
      return await(Callboard.create(vertx, options));
    } catch (RuntimeException | Error e) {
      await(vertx.close());
      throw e;
    }
  }

  Callboard callboard() {
    return callboard;
  }

  /**
   * Advances the time.
   *
   * @throws AssertionError if the node has closed meanwhile
   */
  void advance(Duration by) {
    time.advance(by);
    if (callboard.closed().isComplete()) {
      throw new AssertionError("the node has closed itself", callboard.closed().cause());
    }
  }

  /** Ends the node as by a crash: it is cut off from the store first, so that it can do nothing. */
  void die() {
    MemoryStore cut = store.get();
    if (cut != null) {
      var unused = cut.close();
    }
    close();
  }

  /** Closes the node; time-outs during the close pass at once. */
  void close() {
    Future<Void> closed = vertx.close();
    for (int i = 0; !isComplete(closed); i++) {
      if (i == MOST_LEAPS) {
        throw new AssertionError("a node of the rehearsal does not close");
      }
      time.leapOnly(LEAP);
    }
  }

  private static boolean isComplete(Future<Void> closed) {
    try {
      closed.await(SHORT_MS, TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    }
  }
}
