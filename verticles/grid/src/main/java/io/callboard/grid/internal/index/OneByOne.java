package io.callboard.grid.internal.index;

import io.vertx.core.Future;
import java.util.function.Function;

/**
 * Does the work of a sweep on many things, one after another, as there is no hurry. One that fails
 * keeps no other from being done.
 */
public final class OneByOne {
  private OneByOne() {}

  /**
   * Completes when the work on all things is done; fails then, with the first failure, if some of
   * it failed.
   */
  public static <T> Future<Void> all(Iterable<T> things, Function<T, Future<Void>> work) {
    Future<Void> done = Future.succeededFuture();
    for (T each : things) {
      done =
          done.transform(
              before ->
                  work.apply(each)
                      .transform(
                          now ->
                              before.succeeded() && now.succeeded()
                                  ? Future.succeededFuture()
                                  : Future.failedFuture(
                                      before.failed() ? before.cause() : now.cause())));
    }
    return done;
  }
}
