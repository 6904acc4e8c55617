package io.callboard.archive;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.testkit.Eventually;
import io.callboard.time.Time;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Test of a node's connection to an archive whose database is away. */
class CellArchiveTest {
  /** Time whose alarms never go off, and which counts them. */
  private static final class Alarms implements Time {
    private final AtomicInteger set = new AtomicInteger();
    private final AtomicInteger cancelled = new AtomicInteger();

    @Override
    public Clock clock() {
      return SYSTEM.clock();
    }

    @Override
    public long nanoTime() {
      return SYSTEM.nanoTime();
    }

    @Override
    public Alarm after(Context context, Duration delay, Runnable task) {
      set.incrementAndGet();
      return cancelled::incrementAndGet;
    }
  }

  @Test
  void itsCloseEndsTheAttemptsToConnect() {
    Vertx vertx = Vertx.vertx();
    try {
      Alarms alarms = new Alarms();
      CellArchive archive = CellArchive.open(vertx, alarms, "jdbc:h2:tcp://127.0.0.1:1/none");
      Eventually.isTrue("an attempt has failed", () -> alarms.set.get() == 1);
      await(archive.close());
      assertThat(alarms.cancelled).hasValue(1);
    } finally {
      await(vertx.close());
    }
  }

  @Test
  void anAttemptUnderWayAtItsCloseIsNotRepeated() {
    Vertx vertx = Vertx.vertx();
    try {
      Alarms alarms = new Alarms();
      CellArchive archive = CellArchive.open(vertx, alarms, "jdbc:h2:tcp://127.0.0.1:1/none");
      await(archive.close());
      assertThat(alarms.set.get()).as("set, and not cancelled").isEqualTo(alarms.cancelled.get());
    } finally {
      await(vertx.close());
    }
  }
}
