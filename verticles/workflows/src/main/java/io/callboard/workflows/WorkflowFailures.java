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

  /**
   * Returns a future that has failed with {@code cause}, or with the {@link WorkflowException} that
   * stands for it.
   */
  static <T> Future<T> translate(Throwable cause) {
    if (cause instanceof WorkflowException || cause instanceof InvalidWorkflow) {
      return Future.failedFuture(cause);
    }
    CallboardException.Code ours =
        cause instanceof CallboardException e ? e.code() : CallboardException.Code.UNAVAILABLE;
    Code code =
        switch (ours) {
          case MAILBOX_FULL -> Code.OVERLOADED;
          case PAYLOAD_TOO_LARGE, BAD_MESSAGE -> Code.INVALID; // whoever repeats it
          default -> Code.UNAVAILABLE;
        };
    return fail(code, String.valueOf(cause.getMessage()));
  }
}
