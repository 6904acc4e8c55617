package io.callboard.jobs.internal.files;

import io.callboard.jobs.internal.runner.RunException;
import io.callboard.jobs.internal.runner.RunKey;
import io.callboard.jobs.model.RunOutput;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Files of the runs of one host, as its monitor uses them: {@link RunDirectories} has real ones, a
 * rehearsal plays them.
 *
 * <p>Every method blocks; on an event loop it throws {@link IllegalStateException}. A file that
 * cannot be used is a {@link RunException} of kind DIRECTORY.
 */
public interface HostFiles {
  /**
   * Returns the runs of earlier boots that were not acknowledged, by job and run id. Complete once
   * {@code OrphanSweep} has run; until then one may still be writing its outcome.
   */
  List<OrphanedRun> unacknowledged();

  /** Returns the outcome of a run of this host; empty if it has not ended, or left none. */
  Optional<ExitRecord> outcome(RunKey key);

  /**
   * Marks the outcome as recorded elsewhere: the run is not listed again. Its directory and log
   * stay.
   */
  void acknowledge(RunKey key);

  /**
   * Returns a file that a run writes for its job.
   *
   * @param name one of those in {@link RunFiles}
   * @param known identity of the file when it was read last; null if it was not
   */
  FileLook look(RunKey key, String name, @Nullable FileStamp known);

  /** Returns what a run of this host left when it ended; a result only if it succeeded. */
  RunOutput output(RunKey key, boolean succeeded);

  /**
   * Returns the whole log at this time or, if it is longer, its last {@code maxBytes}; empty
   * without a log.
   */
  LogText log(RunKey key, int maxBytes);

  /**
   * Returns the last lines of the log at this time, from its last {@code maxBytes}; empty without a
   * log.
   */
  LogText tail(RunKey key, int lines, int maxBytes);

  /** Returns what is kept of the log from {@code offset} on; from its end if that is negative. */
  LogBytes log(RunKey key, long offset, int maxBytes);
}
