package io.callboard.internal.zone;

import java.util.concurrent.RejectedExecutionException;

/** What has the threads of a zone. Used by any thread. */
interface ZoneThreads {
  /**
   * Runs it later, on another thread than the caller's or when the caller is done.
   *
   * @throws RejectedExecutionException if it was not taken; what else is thrown leaves open whether
   *     it was
   */
  void carry(Task task);

  /** The same for what has a context of its own here, where the kind of zone knows that. */
  default void carry(SerialExecutor serial) {
    throw new IllegalStateException(serial.whose() + " is in a zone of another kind");
  }

  /** Threads that there are now; 0 if that is not known. */
  int threads();

  /** After a task, on its thread; {@code nth} counts the tasks of that thread. */
  default void after(int nth) {}

  /**
   * Looks after it, now and then; by the watchdog.
   *
   * @param slow whether a thread has been busy with one slice since the last look
   */
  default void look(boolean slow) {}

  /** Takes nothing more; the threads of its own are interrupted and end. */
  void end();

  /** Whether it was ended. */
  boolean isEnded();
}
