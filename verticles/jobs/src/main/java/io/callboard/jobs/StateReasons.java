package io.callboard.jobs;

import io.callboard.jobs.internal.actor.Gate;
import io.callboard.jobs.internal.actor.HostMonitor;
import io.callboard.jobs.internal.actor.JobActor;
import io.callboard.jobs.internal.actor.TypeBacklog;
import io.callboard.jobs.internal.protocol.JobData;
import io.callboard.jobs.internal.protocol.UnreadableArgs;
import io.callboard.jobs.internal.transition.JobMachine;
import io.callboard.jobs.model.Blocked;
import io.callboard.jobs.model.FailedKill;
import io.callboard.jobs.model.JobEvent;
import io.callboard.jobs.model.JobRun;
import io.callboard.jobs.model.JobState;
import io.callboard.jobs.model.JobWhy;
import io.callboard.jobs.model.Remedy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reasons why a job does not run, by its state: those of its record, with those of the gate. Every
 * state but RUNNING has one. Pure.
 */
final class StateReasons {
  private static final String NOT_KNOWN = "not-known";

  /** Kinds that a host gave, or is expected to change. */
  private static final Set<String> OF_HOST =
      Set.of("starting", "silent-host", "stalled", "cancelling", "overdue", "kill-failed");

  private StateReasons() {}

  /**
   * Returns the reasons why a job does not run.
   *
   * @param ofGate reasons of the gate, or of the backlog; empty if neither knows the job
   */
  static JobWhy of(JobData job, List<Blocked> ofGate, Instant now) {
    List<Blocked> all = new ArrayList<>();
    JobState state = job.state();
    if (state.terminal()) {
      all.add(ended(job));
    } else if (state == JobState.HELD) {
      all.add(held(job));
    } else if (state == JobState.BLOCKED) {
      all.add(Blocked.of("dependency", "it waits for other jobs", "they have ended"));
    } else if (state.inQueue()) {
      all.addAll(inQueue(job, ofGate, now));
    } else {
      all.addAll(ofRun(job, ofGate));
    }
    return new JobWhy(state, since(job), all.stream().map(reason -> asked(job, reason)).toList());
  }

  /** Returns whether neither the gate nor a backlog knows the job. */
  static boolean isUnknown(JobWhy why) {
    return why.blockedBy().stream().anyMatch(reason -> reason.kind().equals(NOT_KNOWN));
  }

  private static Instant since(JobData job) {
    Instant known = job.stateSince();
    if (known != null) {
      return known;
    }
    List<JobEvent> events = job.events(); // of a job that an older node wrote
    return events.isEmpty() ? job.createdAt() : events.get(events.size() - 1).at();
  }

  private static String lastEvent(JobData job) {
    List<JobEvent> events = job.events();
    return events.isEmpty() ? "" : ": " + events.get(events.size() - 1).what();
  }

  private static Blocked ended(JobData job) {
    String error = job.error();
    String how =
        job.state() == JobState.SUCCEEDED ? "" : error == null ? lastEvent(job) : ": " + error;
    boolean isOfStep = KeyOwner.STEPS.owns(job.spec().uniqueKey());
    Blocked ended =
        Blocked.of(
                "ended",
                "it has ended: %s%s".formatted(job.state(), how),
                isOfStep ? "nothing: the instance of its step is retried" : "it is run again")
            .since(job.endedAt());
    return isOfStep ? ended : ended.remedy(Remedy.rerun(job.id()));
  }

  private static Blocked held(JobData job) {
    JobRun run = job.lastRun();
    return Blocked.of(
            "held",
            run != null && run.state().equals("LOST") && job.losses() > 0
                ? "it is held; its run %d was lost".formatted(run.runId())
                : "it is held",
            "it is released")
        .since(since(job))
        .remedy(Remedy.release(job.id()));
  }

  /** Adds to a reason of the gate why hosts gave the job back, which the gate does not know. */
  private static Blocked withError(JobData job, Blocked reason) {
    String why = reason.kind().equals("unreadable") ? UnreadableArgs.reason(job) : null;
    return why == null
        ? reason
        : Blocked.of(
                reason.kind(),
                "%s: %s".formatted(reason.detail(), why),
                String.valueOf(reason.changesWhen()))
            .since(reason.since())
            .remedy(reason.remedy());
  }

  private static List<Blocked> inQueue(JobData job, List<Blocked> ofGate, Instant now) {
    List<Blocked> all = new ArrayList<>();
    Instant due = job.nextAttemptAt();
    boolean early = due != null && due.isAfter(now) && job.state() != JobState.QUEUED;
    if (early) {
      String after = job.error() == null ? "" : ", after " + job.error();
      all.add(
          Blocked.of("not-due", "it is due at " + due + after, "it is due")
              .until(due)
              .since(since(job)));
    }
    for (Blocked reason : ofGate) {
      if (!early || !reason.kind().equals("not-due")) {
        all.add(withError(job, reason));
      }
    }
    if (ofGate.isEmpty()) {
      all.add(
          notKnown(
              job,
              "neither the gate nor the backlog of type %s has it: a message is under way, or it was lost by a defect"
                  .formatted(job.spec().type()),
              "the message arrives, within seconds; if it does not, hold the job and release it: it is"
                  + " queued again then"));
    }
    return all;
  }

  private static List<Blocked> ofRun(JobData job, List<Blocked> ofGate) {
    List<Blocked> all = new ArrayList<>();
    JobRun run = job.lastRun();
    String name = run == null ? "its run" : "run %d on host %s".formatted(run.runId(), run.host());
    JobState state = job.state();
    if (Boolean.TRUE.equals(job.overdue())) {
      all.add(
          Blocked.of(
              "overdue",
              "%s, and %s is being killed".formatted(JobMachine.totalElapsed(job), name),
              isGone(job)));
    }
    if (state == JobState.CANCELLING) {
      all.add(
          Blocked.of(
                  "cancelling",
                  (job.spec().ofHandler()
                          ? "%s is being ended: its handler is asked to end, after five seconds interrupted, then again every five"
                          : "%s is being ended: SIGTERM, after ten seconds SIGKILL, then again every five")
                      .formatted(name),
                  isGone(job))
              .since(since(job)));
    } else if (state == JobState.STALLED) {
      all.add(answered(stalled(job, run, name), ofGate));
    }
    killFailed(job, run, all);
    boolean silent = has(ofGate, "silent-host");
    if (silent || state == JobState.ADMITTED) {
      ofGate.stream().filter(reason -> OF_HOST.contains(reason.kind())).forEach(all::add);
    }
    if (state == JobState.SUSPECT && !silent) {
      all.add(
          Blocked.of(
                  "silent-host",
                  "the host of %s was silent, and is not any more".formatted(name),
                  "the message of that arrives from the gate")
              .since(since(job)));
    } else if (state == JobState.ADMITTED && all.isEmpty()) {
      all.add(
          notKnown(
              job,
              "the gate has no handle of %s: its end is under way, or was lost by a defect"
                  .formatted(name),
              "the message arrives, within seconds; if it does not, cancel the job and run it"
                  + " again"));
    }
    return all;
  }

  private static boolean has(List<Blocked> reasons, String kind) {
    return reasons.stream().anyMatch(reason -> reason.kind().equals(kind));
  }

  private static Blocked notKnown(JobData job, String detail, String changesWhen) {
    return Blocked.of(NOT_KNOWN, detail, changesWhen).since(since(job));
  }

  private static Blocked stalled(JobData job, @Nullable JobRun run, String name) {
    Instant last = run == null ? null : run.stalledSince();
    return Blocked.of(
            "stalled",
            "%s is alive, but has made no progress for %s%s"
                .formatted(
                    name,
                    job.spec().timeouts().progress(),
                    last == null ? "" : ", the last at " + last),
            "it writes progress or a checkpoint; nothing kills it but its run and total timeouts")
        .since(since(job));
  }

  /** Returns the reason with the question that the gate has asked about it, and the answer. */
  private static Blocked answered(Blocked stalled, List<Blocked> ofGate) {
    return ofGate.stream()
        .filter(reason -> reason.kind().equals(stalled.kind()))
        .map(reason -> stalled.question(reason.askedAt(), reason.answer()))
        .findFirst()
        .orElse(stalled);
  }

  private static void killFailed(JobData job, @Nullable JobRun run, List<Blocked> all) {
    FailedKill kill = job.failedKill();
    if (kill != null && run != null && job.isOpen(kill.runId())) {
      all.add(
          0,
          Blocked.of(
                  "kill-failed",
                  kill.stack() == null
                      ? "%s left of run %d on host %s after SIGKILL, since %s"
                          .formatted(
                              JobMachine.pids(kill.pids()), kill.runId(), run.host(), kill.at())
                      : "the handler of run %d on host %s has not ended though it was asked to, since %s; %s"
                          .formatted(kill.runId(), run.host(), kill.at(), firstFrame(kill.stack())),
                  kill.stack() == null
                      ? "these processes are gone: the host kills them again every five seconds"
                      : "it ends (a thread is interrupted again every five seconds, a future must complete), or its node is restarted")
              .since(kill.at()));
    }
  }

  /** Returns where a thread is, of a stack that has its name in the first line. */
  private static String firstFrame(String stack) {
    return stack.lines().limit(2).map(String::strip).collect(Collectors.joining(" "));
  }

  private static String isGone(JobData job) {
    return job.spec().ofHandler()
        ? "its host reports that the handler has ended"
        : "its host reports that no process of it is left";
  }

  /** Returns the reason with the actor that was asked last. */
  private static Blocked asked(JobData job, Blocked reason) {
    JobRun run = job.lastRun();
    String kind = reason.kind();
    if (run != null && run.endedAt() == null && OF_HOST.contains(kind)) {
      return reason.asked(HostMonitor.path(run.host()));
    } else if (kind.equals("backlog")) {
      return reason.asked(TypeBacklog.path(job.spec().type()));
    } else if (job.state().terminal() || kind.equals("held") || kind.equals("dependency")) {
      return reason.asked(JobActor.path(job.id()));
    }
    return reason.asked(Gate.PATH);
  }
}
