package io.callboard.jobs.internal.process;

import io.callboard.jobs.internal.runner.RunKey;

/** What the processes of a world do, as they see it themselves. */
public interface RunHistory {
  /** Records that the process of a run begins on a host. */
  void begins(RunKey run, String host);

  /**
   * Records that no process of a run is left.
   *
   * @param exitCode its own exit code; null if it was killed
   */
  void ends(RunKey run, Integer exitCode);
}
