package io.callboard.jobs;

import io.callboard.jobs.internal.actor.Gate;
import io.callboard.jobs.internal.actor.JobActor;
import io.callboard.jobs.internal.gate.GateState;
import io.callboard.jobs.internal.protocol.GateCommand;
import io.callboard.jobs.internal.protocol.JobCommand;
import io.callboard.jobs.internal.protocol.MonitorCommand;
import java.util.EnumSet;
import java.util.Set;

/**
 * Rows of the reconciliation table: what the gate records, what a monitor reports, what follows.
 * That a row happens is seen in the messages of a world; what must follow is in {@link
 * ReconciliationTest}, and over all worlds in {@link JobsHistory}.
 */
enum Reconciliation {
  /** r7@h1; h1: r7 alive, progressing: the lease is refreshed. */
  REFRESHED,
  /** r7@h1; h1: alive, no progress within its timeout: STALLED. */
  STALLED,
  /** r7@h1; h1: no r7, and it never starts there: released, the outcome is unknown. */
  ABSENT,
  /** r8@h2; h1: r7 alive: r7 is killed, r8 is not touched. */
  STALE,
  /** No handle; h1: r9 alive: an orphan, which is killed. */
  ORPHAN,
  /** r7@h1; h1 is silent: SUSPECT, the slot stays taken. */
  SUSPECT,
  /** r7@h1; h1 is dead, or fenced itself: LOST, released. */
  LOST,
  /** r7@h1; h1 owes a report and is asked; it reports: nothing changes. */
  ASKED,
  /** r7@h1 without progress, h1 is asked and says that r7 is alive: kept as an event. */
  ALIVE,
  /** r7@h1 without progress, h1 is asked and says that r7 is not there: released, LOST. */
  GONE,
  /** r7@h1 without progress, h1 is asked and does not answer: SUSPECT, the slot stays taken. */
  UNANSWERED;

  /** Returns the rows of a message of the gate, which it acts with. */
  static Set<Reconciliation> ofSent(String from, Object message) {
    if (!from.equals(Gate.PATH)) {
      return Set.of();
    } else if (message instanceof JobCommand.Silent silent) {
      return Set.of(silent.why().contains("does not say how") ? UNANSWERED : SUSPECT);
    } else if (message instanceof JobCommand.Inspected) {
      return Set.of(ALIVE);
    } else if (message instanceof MonitorCommand.Report) {
      return Set.of(ASKED);
    } else if (message instanceof JobCommand.Lost lost) {
      return Set.of(Boolean.TRUE.equals(lost.withNode()) ? LOST : ABSENT);
    }
    return Set.of();
  }

  /** Returns the rows of a message that comes into a durable mailbox. */
  static Set<Reconciliation> ofStored(String to, Object message, GateState gate) {
    if (to.startsWith(JobActor.PREFIX) && message instanceof JobCommand.Stalled) {
      return Set.of(STALLED);
    } else if (message instanceof GateCommand.Inspected answer) {
      return answer.gone().stream().anyMatch(run -> isHeld(run, answer, gate))
          ? Set.of(GONE)
          : Set.of();
    } else if (message instanceof GateCommand.Report report) {
      Set<Reconciliation> rows = EnumSet.noneOf(Reconciliation.class);
      for (String run : report.runs()) {
        boolean ended = report.ended() != null && report.ended().contains(run);
        GateState.Handle handle = gate.handles().get(run.substring(0, run.indexOf('/')));
        if (handle != null && isOf(handle, run, report)) {
          rows.add(REFRESHED);
        } else if (!ended) {
          rows.add(handle == null ? ORPHAN : STALE);
        }
      }
      return rows;
    }
    return Set.of();
  }

  private static boolean isHeld(String run, GateCommand.Inspected answer, GateState gate) {
    GateState.Handle handle = gate.handles().get(run.substring(0, run.indexOf('/')));
    return handle != null
        && handle.runId() == Integer.parseInt(run.substring(run.indexOf('/') + 1))
        && handle.host().equals(answer.host())
        && handle.boot().equals(answer.boot());
  }

  private static boolean isOf(GateState.Handle handle, String run, GateCommand.Report report) {
    return handle.runId() == Integer.parseInt(run.substring(run.indexOf('/') + 1))
        && handle.host().equals(report.host())
        && handle.boot().equals(report.boot());
  }
}
