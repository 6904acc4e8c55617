package io.callboard.internal.lifecycle;

import io.callboard.codecs.ActorPath;
import io.callboard.internal.context.Timeout;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs on an actor's context after what is queued there, also if that life is over. A thread that
 * is blocked holds up nothing else: it is waited for only until its limit.
 */
final class FinalTask {
  private static final Logger log = LoggerFactory.getLogger(FinalTask.class);

  private final Runnable task;
  private final String type;
  private final ActorPath whose;
  private final Promise<Void> ran = Promise.promise();

  FinalTask(Runnable task, String type, ActorPath whose) {
    this.task = task;
    this.type = type;
    this.whose = whose;
  }

  /**
   * @param schedule on the context; if it takes nothing any more, the task runs at once
   * @param limited tells what it is given when the time is over
   * @return completes when it ran, or is not waited for any longer
   */
  Future<Void> run(Consumer<Runnable> schedule, Function<Runnable, Timeout> limited) {
    Timeout timeout = limited.apply(this::late);
    Runnable last =
        () -> {
          task.run();
          timeout.reached();
          boolean unused = ran.tryComplete();
        };
    try {
      schedule.accept(last);
    } catch (RejectedExecutionException e) {
      log.debug("the zone of {} has ended: nothing is queued there", whose, e);
      last.run();
    }
    return ran.future();
  }

  private void late() {
    if (ran.tryComplete()) {
      log.warn("{} at {} is still busy and is stopped without it", type, whose);
    }
  }
}
