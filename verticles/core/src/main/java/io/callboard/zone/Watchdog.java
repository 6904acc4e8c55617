package io.callboard.zone;

import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread of a node that looks after its zones; none of theirs, for these may all be busy.
 */
final class Watchdog {
  /** Between two looks, milliseconds. */
  static final long EVERY_MS = 200;

  private static final Logger log = LoggerFactory.getLogger(Watchdog.class);

  private final ScheduledExecutorService thread;

  Watchdog(String node) {
    thread =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread made = new Thread(task, "callboard-%s-watchdog".formatted(node));
              made.setDaemon(true);
              return made;
            });
  }

  void start(Runnable look) {
    var unused =
        thread.scheduleWithFixedDelay(
            () -> guarded(look), EVERY_MS, EVERY_MS, TimeUnit.MILLISECONDS);
  }

  /** Runs it once, in a millisecond. */
  void soon(Runnable look) {
    try {
      var unused = thread.schedule(() -> guarded(look), 1, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      log.debug("the zones have ended", e);
    }
  }

  private static void guarded(Runnable look) {
    try {
      look.run();
    } catch (Throwable e) { // what is refused has no other way out than the next look
      log.error("a look after the scheduling zones failed; the next one follows", e);
    }
  }

  void end() {
    var unused = thread.shutdownNow();
  }
}
