package io.callboard.bootstrap;

import io.callboard.jobs.Jobs;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Wait of a node that stops for the job runs under way on it. */
final class RunDrainWait {
  private static final Logger log = LoggerFactory.getLogger(RunDrainWait.class);

  /** Margin for the messages before and after the wait itself. */
  private static final Duration MARGIN = Duration.ofSeconds(5);

  private final String node;
  private final Jobs jobs;
  private final Promise<Integer> givenUp = Promise.promise();

  RunDrainWait(String node, Jobs jobs) {
    this.node = node;
    this.jobs = jobs;
  }

  /**
   * Stops taking runs and waits for those that are here, unless the wait was given up. Blocks.
   *
   * @param out receives one line if there are any
   */
  void await(Duration limit, Consumer<String> out) {
    if (limit.isZero() || givenUp.future().isComplete()) {
      return;
    }
    Future<Integer> left;
    try {
      left = jobs.drain(limit, count -> report(count, limit, out));
      Future.any(left, givenUp.future())
          .await(limit.plus(MARGIN).toMillis(), TimeUnit.MILLISECONDS);
    } catch (Throwable e) {
      log.warn(
          "the wait for the job runs of this node failed: those that are left are killed, and run again",
          e);
      return;
    }
    if (!left.succeeded()) {
      log.info("the wait for job runs has ended: those that are left are killed, and run again");
    } else if (left.result() > 0) {
      log.info("{} job runs did not end in time: they are killed, and run again", left.result());
    }
  }

  /** Ends the wait, or prevents it. Any thread. */
  void giveUp() {
    boolean unused = givenUp.tryComplete(0);
  }

  private void report(int count, Duration limit, Consumer<String> out) {
    String line =
        "Callboard %s is stopping and waits for %d job run%s until %s at the latest; a second signal stops it at once"
            .formatted(
                node,
                count,
                count == 1 ? "" : "s",
                Clock.systemUTC().instant().plus(limit).truncatedTo(ChronoUnit.SECONDS));
    log.info(line);
    out.accept(line);
  }
}
