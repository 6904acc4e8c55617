package io.callboard.jobs.process;

/** The real {@link Admissions}, for rehearsals outside of this package; jobs are j0, j1, … */
public final class AdmissionsOf {
  private final Admissions admissions = new Admissions();

  public int term() {
    return admissions.term();
  }

  public void endTerm() {
    admissions.endTerm();
  }

  public boolean admits(String run, int granted) {
    return admissions.admits(key(run), granted);
  }

  public void refuse(String run) {
    admissions.refuse(key(run));
  }

  private static RunKey key(String run) {
    return RunKey.parse(run.substring(1));
  }
}
