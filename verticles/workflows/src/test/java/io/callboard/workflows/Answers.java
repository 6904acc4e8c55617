package io.callboard.workflows;

import static io.callboard.testkit.Futures.await;

import io.callboard.CallboardException;
import io.callboard.workflows.model.WorkflowException;
import io.vertx.core.Future;

/** Answers of a cell that may not answer now, for questions that a test repeats. */
final class Answers {
  private Answers() {}

  /**
   * Waits for an answer.
   *
   * @throws AssertionError if there is none now, so that {@link io.callboard.testkit.Eventually}
   *     asks again; other failures are thrown as they are
   */
  static <T> T answer(Future<T> asked) {
    try {
      return await(asked);
    } catch (CallboardException e) {
      if (e.code() == CallboardException.Code.TIMEOUT
          || e.code() == CallboardException.Code.UNAVAILABLE) {
        throw new AssertionError("there is no answer now", e);
      }
      throw e;
    } catch (WorkflowException e) {
      if (e.code() == WorkflowException.Code.UNAVAILABLE) {
        throw new AssertionError("there is no answer now", e);
      }
      throw e;
    }
  }
}
