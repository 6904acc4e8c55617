package io.callboard.jobs.internal.process;

import io.callboard.jobs.internal.runner.RunKey;
import io.callboard.jobs.internal.runner.StartPermits;

/** The real {@link StartPermits}, for rehearsals outside of this package; jobs are j0, j1, … */
public final class StartPermitsOf {
  private final StartPermits startPermits = new StartPermits();

  public int term() {
    return startPermits.term();
  }

  public void endTerm() {
    startPermits.endTerm();
  }

  public boolean admits(String run, int granted) {
    return startPermits.admits(key(run), granted);
  }

  public void refuse(String run) {
    startPermits.refuse(key(run));
  }

  private static RunKey key(String run) {
    return RunKey.parse(run.substring(1));
  }
}
