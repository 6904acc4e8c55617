package io.callboard.internal.node;

import io.callboard.store.StoredActors;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.function.Consumer;

/** Receiver of pages of stored actors that passes them on to a caller, on the caller's context. */
final class ContextPages {
  private final Context caller;
  private final Consumer<StoredActors> page;

  ContextPages(Context caller, Consumer<StoredActors> page) {
    this.caller = caller;
    this.page = page;
  }

  /** Passes a page on; completes when the caller has taken it, or fails with what that threw. */
  Future<Void> pass(StoredActors some) {
    Promise<Void> passed = Promise.promise();
    caller.runOnContext(
        v -> {
          try {
            page.accept(some);
          } catch (RuntimeException | Error e) {
            passed.fail(e);
            return;
          }
          passed.complete();
        });
    return passed.future();
  }
}
