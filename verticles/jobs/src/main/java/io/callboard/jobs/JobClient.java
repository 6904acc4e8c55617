package io.callboard.jobs;

import io.callboard.Callboard;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.CodecException;
import io.callboard.jobs.internal.actor.JobActor;
import io.callboard.jobs.internal.protocol.JobAnswer;
import io.callboard.jobs.internal.protocol.JobCommand;
import io.callboard.jobs.internal.protocol.JobData;
import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobException.Code;
import io.callboard.store.StoreException;
import io.callboard.store.StoredActor;
import io.vertx.core.Future;
import java.util.Optional;
import java.util.function.Consumer;

/** Client of the {@link JobActor} of each job, on whichever node that runs. */
final class JobClient {
  private final Callboard callboard;
  private final Consumer<Job> here;

  /**
   * Creates the client.
   *
   * @param here receives each job as its actor answers it
   */
  JobClient(Callboard callboard, Consumer<Job> here) {
    this.callboard = callboard;
    this.here = here;
  }

  /** Returns the job as it is stored; fails with {@code NOT_FOUND} if there is none. */
  Future<JobData> stored(String id) {
    return read(id)
        .compose(
            slot ->
                slot.map(JobActor.Slot::job)
                    .map(Future::succeededFuture)
                    .orElseGet(() -> notFound(id)));
  }

  /** Returns what is stored under an id; empty also if it cannot be one. */
  private Future<Optional<JobActor.Slot>> read(String id) {
    ActorPath path;
    try {
      path = ActorPath.of(JobActor.path(id));
    } catch (IllegalArgumentException e) {
      return Future.succeededFuture(Optional.empty());
    }
    return callboard
        .admin()
        .stored(path.toString())
        .recover(JobFailures::translate)
        .map(stored -> stored.flatMap(JobClient::slot));
  }

  /** Returns whether the job was deleted, and its tombstone is kept. */
  Future<Boolean> isDeleted(String id) {
    return read(id)
        .map(
            slot ->
                slot.map(JobActor.Slot::deleted)
                    .filter(tombstone -> tombstone.letGo() == null)
                    .isPresent());
  }

  private static <T> Future<T> notFound(String id) {
    return JobFailures.fail(Code.NOT_FOUND, "there is no job " + id);
  }

  private static Optional<JobActor.Slot> slot(StoredActor job) {
    try {
      return JobActor.Slot.of(job);
    } catch (CodecException e) {
      throw StoreException.corrupt(
          "the state of %s cannot be read: %s".formatted(job.path(), e.getMessage()), e);
    }
  }

  /** Asks the actor of a stored job; checks that first, so that a wrong id creates no mailbox. */
  Future<Job> askStored(String id, JobCommand command) {
    return stored(id).compose(job -> ask(id, command));
  }

  Future<Job> ask(String id, JobCommand command) {
    return reported(id, command).map(JobData::detail);
  }

  /** Asks the job's actor, and passes the answer on to the index of this node. */
  Future<JobData> reported(String id, JobCommand command) {
    return answer(id, command).onSuccess(job -> here.accept(job.view()));
  }

  /** Asks the job's actor, and only returns the answer. */
  Future<JobData> answer(String id, JobCommand command) {
    return callboard
        .durableRef(JobActor.path(id), JobCommand.class)
        .ask(command, JobAnswer.class, Jobs.ASK)
        .recover(JobFailures::translate)
        .compose(
            answer -> {
              if (answer instanceof JobAnswer.Is is) {
                return Future.succeededFuture(is.job());
              }
              JobAnswer.Refused refused = (JobAnswer.Refused) answer;
              return JobFailures.fail(refused.code(), refused.message());
            });
  }
}
