package io.callboard.jobs;

import io.callboard.Callboard;
import io.callboard.jobs.internal.actor.TypeBacklog;
import io.callboard.jobs.internal.protocol.BacklogAnswer;
import io.callboard.jobs.internal.protocol.BacklogAnswer.Found;
import io.callboard.jobs.internal.protocol.BacklogCommand;
import io.callboard.jobs.internal.protocol.JobData;
import io.callboard.jobs.internal.protocol.WaitingRun;
import io.callboard.jobs.model.Blocked;
import io.callboard.jobs.model.JobState;
import io.callboard.jobs.model.JobWhy;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reader of the reasons why a job does not run: from its record, the gate, and the backlog of its
 * type. The three are read one after another, so a job that seems to be in none of them is read
 * again before that is the answer.
 */
final class JobReasons {
  private static final int MOST_READINGS = 3;

  private final Callboard callboard;
  private final GateClient gate;
  private final Function<String, Future<JobData>> known;

  /**
   * Creates the reader.
   *
   * @param known returns a job by its id, live or archived
   */
  JobReasons(Callboard callboard, GateClient gate, Function<String, Future<JobData>> known) {
    this.callboard = callboard;
    this.gate = gate;
    this.known = known;
  }

  /** Returns the reasons of a job. */
  Future<JobWhy> of(String id) {
    return read(id, 1);
  }

  private Future<JobWhy> read(String id, int reading) {
    return known
        .apply(id)
        .compose(
            job ->
                ofGate(job)
                    .map(
                        reasons ->
                            StateReasons.of(job, reasons, callboard.time().clock().instant()))
                    .compose(
                        why ->
                            reading < MOST_READINGS && StateReasons.isUnknown(why)
                                ? read(id, reading + 1)
                                : Future.succeededFuture(why)));
  }

  private Future<List<Blocked>> ofGate(JobData job) {
    JobState state = job.state();
    boolean away = state.terminal() || state == JobState.HELD || state == JobState.BLOCKED;
    String type = job.spec().type();
    return away
        ? Future.succeededFuture(List.of())
        : gate.why(job.id(), type)
            .compose(
                reasons ->
                    reasons.stream().anyMatch(reason -> reason.kind().equals("backlog"))
                        ? inBacklog(job, reasons)
                        : Future.succeededFuture(reasons));
  }

  /** Returns the reasons if the backlog of its type, which is there, has the job; else none. */
  private Future<List<Blocked>> inBacklog(JobData job, List<Blocked> reasons) {
    return callboard
        .durableRef(TypeBacklog.path(job.spec().type()), BacklogCommand.class)
        .ask(new BacklogCommand.Find(job.id()), BacklogAnswer.class, Jobs.ASK)
        .recover(JobFailures::translate)
        .map(answer -> inBacklog(((Found) answer).waiting(), reasons));
  }

  /** A run is in the backlog from when it was enqueued. */
  private static List<Blocked> inBacklog(@Nullable WaitingRun waiting, List<Blocked> reasons) {
    return waiting == null
        ? List.of()
        : reasons.stream().map(reason -> reason.since(waiting.at())).toList();
  }
}
