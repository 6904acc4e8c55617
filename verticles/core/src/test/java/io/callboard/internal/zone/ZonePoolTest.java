package io.callboard.internal.zone;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.internal.Waits;
import io.callboard.zone.ZoneOptions;
import io.callboard.zone.ZonePriority;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Test of a pool whose operating system allows no more threads for a while. */
class ZonePoolTest {
  private final AtomicInteger started = new AtomicInteger();
  private volatile boolean refuses;

  private void start(Thread thread) {
    if (refuses) {
      throw new OutOfMemoryError("unable to create native thread");
    }
    started.incrementAndGet();
    thread.start();
  }

  private static Task task(Runnable work) {
    return new Task(ran -> work.run(), ZonePriority.NORMAL, work, false, 0);
  }

  @Test
  void aTaskForWhichThereWasNoThreadRunsOnceThereIsOne() {
    ZonePool pool =
        new ZonePool("pool", ZoneOptions.elastic(1, 2), SpareThreads.GRACE, this::start);
    refuses = true;
    CountDownLatch held = new CountDownLatch(1);
    CountDownLatch open = new CountDownLatch(1);
    CountDownLatch ran = new CountDownLatch(1);
    pool.carry(
        task(
            () -> {
              held.countDown();
              Waits.opened(open);
            }));
    Waits.opened(held);
    pool.carry(task(ran::countDown));
    pool.look(false);
    assertThat(started).as("still refused").hasValue(1);
    refuses = false;
    pool.look(false);
    Waits.opened(ran);
    pool.look(false);
    assertThat(started).as("no thread without a task").hasValue(2);
    open.countDown();
    pool.end();
  }
}
