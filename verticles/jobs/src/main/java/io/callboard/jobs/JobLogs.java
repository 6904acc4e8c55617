package io.callboard.jobs;

import io.callboard.Callboard;
import io.callboard.jobs.internal.actor.HostMonitor;
import io.callboard.jobs.internal.files.LogText;
import io.callboard.jobs.internal.files.RunFiles;
import io.callboard.jobs.internal.protocol.MonitorAnswer;
import io.callboard.jobs.internal.protocol.MonitorCommand;
import io.callboard.jobs.model.JobException;
import io.callboard.jobs.model.JobException.Code;
import io.callboard.jobs.model.JobLog;
import io.callboard.jobs.model.JobLogPart;
import io.callboard.jobs.model.JobRun;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Output of runs, read from the hosts that ran them. Any thread. Futures fail with {@link
 * JobException}: {@code NOT_FOUND} if there is no such job or run, {@code UNAVAILABLE} if the host
 * does not answer.
 */
public final class JobLogs {
  private final Callboard callboard;
  private final Jobs jobs;

  JobLogs(Callboard callboard, Jobs jobs) {
    this.callboard = callboard;
    this.jobs = jobs;
  }

  /**
   * Returns the last part of the output of a run as text. If the host of a run that has ended
   * cannot serve it, that is the end of the log that the job keeps, if it does.
   *
   * @param runId number of the run; null for the last
   * @param tailLines number of lines from the end; null for all that is kept, up to 128 KiB
   */
  public Future<JobLog> text(String id, @Nullable Integer runId, @Nullable Integer tailLines) {
    return run(id, runId)
        .compose(
            found ->
                found.isEmpty()
                    ? jobs.job(id).map(job -> new JobLog(0, "", false, job.state().terminal()))
                    : readLog(id, found.get(), tailLines));
  }

  /**
   * Returns output of a run from {@code offset} on, as bytes.
   *
   * @param runId number of the run; null for the last
   * @param offset position in the kept output; counted from its end if negative
   * @param most maximum number of bytes; null for as many as fit one answer, at most 128 KiB
   */
  public Future<JobLogPart> part(
      String id, @Nullable Integer runId, long offset, @Nullable Integer most) {
    return run(id, runId)
        .compose(
            found ->
                found.isEmpty()
                    ? jobs.job(id)
                        .map(job -> new JobLogPart(0, new byte[0], 0, 0, 0, job.state().terminal()))
                    : readPart(id, found.get(), offset, most));
  }

  /** Returns the run of that id, or the last one; empty if there is none yet. */
  private Future<Optional<JobRun>> run(String id, @Nullable Integer runId) {
    return jobs.job(id)
        .compose(
            job -> {
              if (job.runs().isEmpty()) {
                return Future.succeededFuture(Optional.empty());
              }
              int wanted = runId == null ? job.runs().get(job.runs().size() - 1).runId() : runId;
              Optional<JobRun> found =
                  job.runs().stream().filter(run -> run.runId() == wanted).findFirst();
              return found.isPresent()
                  ? Future.succeededFuture(found)
                  : JobFailures.fail(Code.NOT_FOUND, "job %s has no run %d".formatted(id, wanted));
            });
  }

  private Future<JobLog> readLog(String id, JobRun run, @Nullable Integer tailLines) {
    return askMonitor(run, new MonitorCommand.ReadLog(id, run.runId(), tailLines, null, null))
        .map(
            answer -> {
              JobLog text = ((MonitorAnswer.Log) answer).log();
              boolean over = run.endedAt() != null;
              return new JobLog(text.runId(), text.text(), text.truncated(), over);
            })
        .transform(
            read ->
                read.succeeded() && !read.result().text().isEmpty()
                    ? Future.succeededFuture(read.result())
                    : kept(run, tailLines, read));
  }

  /**
   * Returns the end of a log that is kept with the job; what was read from the host without one.
   */
  private static Future<JobLog> kept(
      JobRun run, @Nullable Integer tailLines, AsyncResult<JobLog> read) {
    String end = run.logEnd();
    if (end == null || run.endedAt() == null) {
      return asRead(read);
    }
    boolean cut = end.getBytes(StandardCharsets.UTF_8).length > RunFiles.LOG_END_BYTES - 4;
    LogText text = new LogText(end, end.length(), !cut);
    LogText tail = tailLines == null ? text : text.tail(tailLines);
    return Future.succeededFuture(new JobLog(run.runId(), tail.text(), !tail.complete(), true));
  }

  private Future<JobLogPart> readPart(String id, JobRun run, long offset, @Nullable Integer most) {
    return askMonitor(run, new MonitorCommand.ReadLog(id, run.runId(), null, offset, most))
        .compose(
            answer -> {
              if (answer instanceof MonitorAnswer.Part it) {
                JobLogPart part = it.part();
                return Future.succeededFuture(
                    new JobLogPart(
                        part.runId(),
                        part.bytes(),
                        part.offset(),
                        part.kept(),
                        part.written(),
                        run.endedAt() != null));
              }
              return JobFailures.fail(
                  Code.UNAVAILABLE,
                  "host %s runs an older version, which cannot serve parts of a log"
                      .formatted(run.host()));
            })
        .transform(
            read ->
                read.succeeded() && read.result().written() > 0
                    ? Future.succeededFuture(read.result())
                    : keptPart(run, offset, most, read));
  }

  /** Returns a part of the end of a log that is kept with the job, by positions within that. */
  private static Future<JobLogPart> keptPart(
      JobRun run, long offset, @Nullable Integer most, AsyncResult<JobLogPart> read) {
    String end = run.logEnd();
    if (end == null || run.endedAt() == null) {
      return asRead(read);
    }
    byte[] kept = end.getBytes(StandardCharsets.UTF_8);
    int from =
        (int) (offset < 0 ? Math.max(0, kept.length + offset) : Math.min(offset, kept.length));
    int to = most == null ? kept.length : (int) Math.min(kept.length, (long) from + most);
    byte[] part = Arrays.copyOfRange(kept, from, to);
    return Future.succeededFuture(
        new JobLogPart(run.runId(), part, from, kept.length, kept.length, true));
  }

  private static <T> Future<T> asRead(AsyncResult<T> read) {
    return read.succeeded()
        ? Future.succeededFuture(read.result())
        : Future.failedFuture(read.cause());
  }

  private Future<MonitorAnswer> askMonitor(JobRun run, MonitorCommand.ReadLog read) {
    return callboard
        .ref(HostMonitor.path(run.host()), MonitorCommand.class)
        .ask(read, MonitorAnswer.class, Jobs.ASK)
        .recover(JobFailures::translate)
        .compose(
            answer ->
                answer instanceof MonitorAnswer.Unreadable unreadable
                    ? JobFailures.fail(Code.UNAVAILABLE, unreadable.message())
                    : Future.succeededFuture(answer));
  }
}
