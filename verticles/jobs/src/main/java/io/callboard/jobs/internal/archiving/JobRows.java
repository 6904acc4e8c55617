package io.callboard.jobs.internal.archiving;

import io.callboard.archive.JobRow;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Json;
import io.callboard.jobs.internal.protocol.JobData;
import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobRun;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Translates ended jobs to rows of a database and back. */
final class JobRows {
  private JobRows() {}

  /** Returns the row of a job that has ended. */
  static JobRow of(JobData job) {
    Job detail = job.detail();
    return new JobRow(
        job.id(),
        job.version(),
        job.spec().type(),
        job.state().name(),
        job.createdAt(),
        Objects.requireNonNull(job.endedAt(), "only a job that has ended has a row"),
        job.spec().labels(),
        search(job),
        json(job),
        json(job.view()),
        detail.result() == null ? null : json(detail.result()),
        detail.runs().stream().map(JobRows::of).toList(),
        job.events().stream().map(event -> new JobRow.Event(event.at(), event.what())).toList());
  }

  private static String json(Object value) {
    return new String(Json.uncheckedBytes(value), StandardCharsets.UTF_8);
  }

  private static JobRow.Run of(JobRun run) {
    return new JobRow.Run(
        run.runId(),
        run.state(),
        run.host(),
        run.exitCode(),
        run.startedAt(),
        run.endedAt(),
        run.error(),
        run.logEnd());
  }

  private static String search(JobData job) {
    Stream<String> labels =
        job.spec().labels().entrySet().stream()
            .sorted(Map.Entry.comparingByKey())
            .map(label -> label.getKey() + "=" + label.getValue());
    return Stream.of(Stream.of(job.id(), job.view().work()), labels)
        .flatMap(parts -> parts)
        .collect(Collectors.joining(" "));
  }

  /** Returns the job of {@link JobRow#body}. */
  static JobData job(String body) {
    return Json.read("an archived job", body.getBytes(StandardCharsets.UTF_8), JobData.class);
  }

  /** Returns the id of {@link JobRow#view}, as far as it can be read. */
  static String id(String view) {
    try {
      return Json.parse("an archived job", view.getBytes(StandardCharsets.UTF_8))
          .path("id")
          .asText();
    } catch (CodecException e) {
      return "without an id";
    }
  }

  /** Returns the job of {@link JobRow#view}. */
  static Job view(String body) {
    return Json.read("an archived job", body.getBytes(StandardCharsets.UTF_8), Job.class);
  }
}
