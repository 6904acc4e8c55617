package io.callboard.jobs;

import io.callboard.Callboard;
import io.callboard.jobs.internal.actor.JobActor;
import io.callboard.jobs.internal.files.RunDirectories;
import io.callboard.jobs.internal.protocol.JobCommand;
import io.callboard.jobs.internal.runner.Runner;
import io.callboard.task.BackgroundTasks;
import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes the files that runs of deleted jobs left on this host, one job after another. A host is
 * asked by the owner of the job's tombstone, again and again until it has reported that it has
 * deleted them. Any thread.
 */
final class DeletedJobFiles {
  /** Maximum number of jobs that wait for it; further ones are asked for again. */
  static final int MOST = 10_000;

  private static final Logger log = LoggerFactory.getLogger(DeletedJobFiles.class);

  private final Callboard callboard;
  private final Runner runner;
  private final RunDirectories directories;

  private final BackgroundTasks tasks;

  /** Work to do, by job; the first is under way. Guarded by itself. */
  private final Map<String, Supplier<Future<Void>>> waiting = new LinkedHashMap<>();

  private int failures;

  DeletedJobFiles(Callboard callboard, Runner runner, RunDirectories directories) {
    this.callboard = callboard;
    this.runner = runner;
    this.directories = directories;
    this.tasks = callboard.tasks("the deletion of run files");
  }

  /** Deletes the files of a deleted job's runs on this host and reports that to the job. */
  void delete(String job) {
    add(job, () -> remove(job).compose(v -> freed(job)));
  }

  private void add(String job, Supplier<Future<Void>> work) {
    boolean idle;
    synchronized (waiting) {
      idle = waiting.isEmpty();
      if (tasks.isClosed() || waiting.size() >= MOST || waiting.putIfAbsent(job, work) != null) {
        return;
      }
    }
    if (idle) {
      tasks.run(() -> work(job, work));
    }
  }

  private void work(String job, Supplier<Future<Void>> work) {
    work.get()
        .onComplete(
            done -> {
              if (done.failed()) {
                failed(job, done.cause());
              }
              tasks.run(() -> next(job));
            });
  }

  /** Logs a failure, once until the queue is empty. */
  private void failed(String job, Throwable cause) {
    failures++;
    if (failures == 1) {
      log.warn(
          "the files of the runs of deleted job {} cannot be deleted on this host; this is tried again in some minutes: {}",
          job,
          cause.getMessage());
    }
  }

  private void next(String done) {
    Map.Entry<String, Supplier<Future<Void>>> next;
    synchronized (waiting) {
      waiting.remove(done);
      next = waiting.isEmpty() ? null : waiting.entrySet().iterator().next();
    }
    if (next != null) {
      work(next.getKey(), next.getValue());
      return;
    }
    if (failures > 1) {
      log.warn("the files of {} more deleted jobs cannot be deleted either", failures - 1);
    }
    failures = 0;
  }

  private Future<Void> remove(String job) {
    if (runner.live().stream().anyMatch(run -> run.jobId().equals(job))) {
      return Future.failedFuture("one of the runs has not ended");
    }
    return callboard
        .vertx()
        .executeBlocking(
            () -> {
              directories.remove(job);
              return null;
            },
            false);
  }

  private Future<Void> freed(String job) {
    return callboard
        .durableRef(JobActor.path(job), JobCommand.class)
        .tell(new JobCommand.Freed(callboard.node()));
  }

  void close() {
    tasks.close();
  }
}
