package io.callboard.dashboard.internal.attention;

import io.callboard.jobs.model.Blocked;
import io.callboard.jobs.model.GateLoad;
import io.callboard.jobs.model.JobType;
import io.callboard.jobs.model.TypeView;
import java.util.List;

/**
 * Type of jobs with its running and waiting jobs.
 *
 * @param view the type, with who paused it
 * @param load what the gate has of it
 * @param blockedBy why the job does not run that has been due for longest; empty if that was not
 *     looked up
 */
public record TypeLoad(TypeView view, GateLoad load, List<Blocked> blockedBy) {
  /** Copies the list. */
  public TypeLoad {
    blockedBy = List.copyOf(blockedBy);
  }

  /** Returns the type. */
  public JobType type() {
    return view.type();
  }

  /** Returns whether jobs wait that a free host could not run. */
  public boolean isShut() {
    return load.due() > 0 && (type().paused() || load.granted() >= type().limit());
  }
}
