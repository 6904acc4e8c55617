package io.callboard.jobs.internal.files;

import io.callboard.jobs.internal.runner.RunKey;
import java.time.Instant;
import java.util.Optional;

/**
 * Run of an earlier boot whose outcome was not acknowledged.
 *
 * @param key name of the run
 * @param epoch epoch of its grant
 * @param bootId boot that started it
 * @param startedAt its start
 * @param exit its outcome; empty if it is lost
 */
public record OrphanedRun(
    RunKey key, long epoch, String bootId, Instant startedAt, Optional<ExitRecord> exit) {

  /**
   * Returns whether the run left no outcome: it may have done anything up to the death of the node.
   */
  public boolean lost() {
    return exit.isEmpty();
  }
}
