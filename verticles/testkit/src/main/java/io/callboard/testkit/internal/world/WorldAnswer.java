package io.callboard.testkit.internal.world;

import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;

/** Answer for which somebody on a node waits. */
final class WorldAnswer {
  private final WorldNode asker;
  private final Class<?> type;
  private final Promise<Object> promise = Promise.promise();

  /** Creates it, and lets it fail after a time. */
  WorldAnswer(WorldNode asker, Class<?> type, Duration timeout) {
    this.asker = asker;
    this.type = type;
    var unused =
        asker.schedule(
            WorldTime.nanos(timeout),
            () -> fail(new CallboardException(Code.TIMEOUT, "no answer came within " + timeout)));
  }

  Future<Object> future() {
    return promise.future();
  }

  /** Sends an answer on its way. */
  void give(WorldNode from, Object answer) {
    if (!type.isInstance(answer)) {
      throw new AssertionError("an answer is no %s: %s".formatted(type.getName(), answer));
    }
    comes(from, () -> promise.tryComplete(answer));
  }

  /** Sends word that there is no such actor. */
  void missing(WorldNode from, String path) {
    comes(from, () -> fail(new CallboardException(Code.NO_SUCH_ACTOR, "there is no " + path)));
  }

  private void comes(WorldNode from, Runnable task) {
    WorldFaults faults = asker.cell().faults();
    if (from == asker) {
      var unused = asker.schedule(0, task);
    } else if (faults.copies() > 0) {
      var unused = asker.schedule(faults.networkDelay(), task);
    }
  }

  void fail(Throwable cause) {
    boolean unused = promise.tryFail(cause);
  }
}
