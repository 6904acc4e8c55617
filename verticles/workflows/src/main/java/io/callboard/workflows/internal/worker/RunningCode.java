package io.callboard.workflows.internal.worker;

import io.callboard.time.Time.Alarm;
import io.callboard.workflows.internal.dispatch.WorkerMachine;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Code of attempts that runs on this node, whichever life of its worker has called it. An actor
 * ends at once, code does not: a run may be given to others only when its code has ended, or had
 * {@link WorkerMachine#CANCEL_GRACE} for that. Thread-safe.
 */
final class RunningCode {
  private static final Logger log = LoggerFactory.getLogger(RunningCode.class);

  private final Function<Runnable, Alarm> grace;
  private final Map<Attempt, Call> running = new ConcurrentHashMap<>();

  /** Call of the code of an attempt. */
  private static final class Call {
    final Promise<Void> end = Promise.promise();
    final AtomicBoolean isToEnd = new AtomicBoolean();
  }

  /**
   * Creates the record of a node.
   *
   * @param grace runs a task when code has had its time to end
   */
  RunningCode(Function<Runnable, Alarm> grace) {
    this.grace = grace;
  }

  /**
   * Records that the code of an attempt is called next.
   *
   * @return whether it may be: false for one that is to end
   */
  boolean begins(Attempt attempt) {
    running.put(attempt, new Call());
    if (attempt.cancelled().isComplete()) {
      ended(attempt);
      return false;
    }
    return true;
  }

  /** Returns whether the code of an attempt runs, and is waited for. */
  boolean runs(Attempt attempt) {
    return running.containsKey(attempt);
  }

  /** Records that the code of an attempt has ended. */
  void ended(Attempt attempt) {
    Call call = running.remove(attempt);
    if (call != null) {
      call.end.complete();
    }
  }

  /**
   * Asks the code of an attempt to end, once; code that has not begun never will.
   *
   * @return completes when it does not run, or has had its time since it was first asked
   */
  Future<Void> end(Attempt attempt) {
    attempt.cancel();
    Call call = running.get(attempt);
    if (call == null) {
      return Future.succeededFuture();
    }
    Future<Void> end = call.end.future();
    if (call.isToEnd.compareAndSet(false, true)) {
      Alarm limit = grace.apply(() -> abandon(attempt));
      return end.onComplete(done -> limit.cancel());
    }
    return end;
  }

  private void abandon(Attempt attempt) {
    if (running.containsKey(attempt)) {
      log.warn(
          "the code of {} has not ended {} s after it was asked to: it is not waited for any more,"
              + " and may run beside another attempt",
          attempt.request().key(),
          WorkerMachine.CANCEL_GRACE.toSeconds());
      ended(attempt);
    }
  }

  /** Asks all code to end that runs now; completes when {@link #end} of each does. */
  Future<Void> endAll() {
    List<Future<Void>> ends = List.copyOf(running.keySet()).stream().map(this::end).toList();
    return Future.join(ends).mapEmpty();
  }
}
