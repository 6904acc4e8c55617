package io.callboard.examples.documents;

import io.callboard.codecs.Json;
import io.callboard.workflows.StepContext;
import io.callboard.workflows.StepHandler;
import io.callboard.workflows.Workers;
import io.callboard.zone.ZoneDefaults;
import io.vertx.core.Future;
import java.io.IOException;
import java.util.Map;
import java.util.Set;

/** Work of a step on the thread that calls it, which it may block. */
@FunctionalInterface
public interface StepWork {
  /** Does it, and returns the output. */
  Object with(StepContext step) throws IOException;

  /** Returns the handler that does it. */
  static StepHandler blocking(StepWork work) {
    return step -> {
      try {
        return Future.succeededFuture(Json.tree(work.with(step)));
      } catch (IOException | RuntimeException e) {
        return Future.failedFuture(e);
      }
    };
  }

  /**
   * Offers handlers, by name.
   *
   * @param slow those that compute for a while: they have a zone apart, so that the short ones do
   *     not wait behind them
   */
  static void offer(Workers workers, Map<String, StepHandler> handlers, Set<String> slow) {
    handlers.forEach(
        (name, handler) -> {
          if (slow.contains(name)) {
            workers.handle(name, ZoneDefaults.BLOCKING, handler);
          } else {
            workers.handle(name, handler);
          }
        });
  }
}
