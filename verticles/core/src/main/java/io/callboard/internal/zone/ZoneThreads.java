package io.callboard.internal.zone;

import io.callboard.zone.ZoneOptions;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** Threads of a zone. Used by any thread. */
interface ZoneThreads {
  /**
   * Makes the threads of a zone; returns null if these are event loops.
   *
   * @param name of its threads, without their number
   * @param grace time for which its {@link SpareThreads} may be idle, and be stuck
   */
  static @Nullable ZoneThreads of(String name, ZoneOptions options, Duration grace) {
    return switch (options.kind()) {
      case EVENT_LOOP -> null;
      case FIXED, ELASTIC -> new ZonePool(name, options, grace);
      case FORK_JOIN -> new ForkJoinThreads(name, options, grace);
      case VIRTUAL -> new ThreadPerTask(name);
      case EXECUTOR -> {
        if (options.executor() == null) {
          throw new IllegalArgumentException("zone %s has no executor".formatted(name));
        }
        yield new GivenExecutor(name, options.executor(), grace);
      }
    };
  }

  /**
   * Runs a task later, on another thread than the caller's or when the caller is done.
   *
   * @throws RejectedExecutionException if it was not taken; any other exception leaves open whether
   *     it was
   */
  void carry(Task task);

  /** Runs the next turn of a serial executor, where the kind of zone has these. */
  default void carry(SerialExecutor serial) {
    throw new IllegalStateException(serial.whose() + " is in a zone of another kind");
  }

  /** Returns the number of threads now; 0 if that is not known. */
  int threads();

  /**
   * Called after a task, on its thread.
   *
   * @param nth the number of that task on its thread
   */
  default void after(int nth) {}

  /**
   * Called by the watchdog now and then.
   *
   * @param slow whether a thread has been busy with one slice since the last look
   */
  default void look(boolean slow) {}

  /**
   * Ends its threads when nothing waits for them. Tasks that are carried later are run all the
   * same, by threads made for them.
   */
  void end();
}
