package io.callboard.workflows;

import io.callboard.CallboardException;
import io.callboard.workflows.model.InvalidWorkflow;
import io.callboard.workflows.model.WorkflowException;
import io.callboard.workflows.model.WorkflowException.Code;
import io.vertx.core.Future;

/** Failures of the engine's calls, as their callers get them. */
final class WorkflowFailures {
  private WorkflowFailures() {}

  /** Returns a future that has failed with {@code code}. */
  static <T> Future<T> fail(Code code, String message) {
    return Future.failedFuture(new WorkflowException(code, message));
  }

  /** Returns a future that has failed with {@code cause}, or with what stands for it. */
  static <T> Future<T> translate(Throwable cause) {
    if (cause instanceof WorkflowException || cause instanceof InvalidWorkflow) {
      return Future.failedFuture(cause);
    }
    boolean full =
        cause instanceof CallboardException ours
            && ours.code() == CallboardException.Code.MAILBOX_FULL;
    return fail(full ? Code.OVERLOADED : Code.UNAVAILABLE, String.valueOf(cause.getMessage()));
  }
}
