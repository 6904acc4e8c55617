package io.callboard.jobs;

import io.callboard.CallboardException;
import io.callboard.jobs.model.JobException;
import io.callboard.jobs.model.JobException.Code;
import io.callboard.store.StoreException;
import io.vertx.core.Future;

/** Failures of the scheduler's calls, as their callers get them. */
final class JobFailures {
  private JobFailures() {}

  /** Returns a future that has failed with {@code code}. */
  static <T> Future<T> fail(Code code, String message) {
    return Future.failedFuture(new JobException(code, message));
  }

  /** Returns whether a failure says that there is no such job, or no record of the job any more. */
  static boolean isNotFound(Throwable cause) {
    return cause instanceof JobException e && e.code() == Code.NOT_FOUND;
  }

  /**
   * Returns a future that has failed with {@code cause}, if that is of the scheduler or shows
   * damage, and otherwise with a {@link JobException} that stands for it.
   */
  static <T> Future<T> translate(Throwable cause) {
    boolean damage =
        cause instanceof StoreException store && store.kind() == StoreException.Kind.CORRUPT;
    if (damage || cause instanceof JobException) {
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
