package io.callboard.jobs.internal.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Json;
import io.callboard.jobs.model.FileContent;
import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobEnded;
import io.callboard.jobs.model.JobRun;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.JobSpec.JobTimeouts;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Durable state of a job as clients see it: in lists, alone, and at its end. */
final class ClientView {
  /** Maximum number of characters of the names and values of arguments that lists have. */
  private static final int MOST_LISTED = 1_024;

  private ClientView() {}

  /** Returns the job without the contents of files. */
  static Job of(JobData job) {
    return view(job, job.runs(), JobFiles.NONE, false);
  }

  /** Returns the job with the contents of files and what it was submitted with. */
  static Job detail(JobData job) {
    JobFiles files = job.files() == null ? JobFiles.NONE : job.files();
    List<JobRun> full =
        job.runs().stream()
            .map(run -> run.withLogEnd(files.logEnd(run.runId()).orElse(null)))
            .toList();
    return view(job, full, files, true);
  }

  private static Job view(JobData job, List<JobRun> runs, JobFiles files, boolean whole) {
    JobSpec spec = job.spec();
    JsonNode args = spec.args();
    boolean isOfType = Boolean.TRUE.equals(spec.typesRetry());
    return new Job(
        job.id(),
        spec.type(),
        job.state(),
        spec.priority(),
        spec.command(),
        job.createdAt(),
        IntStream.range(0, runs.size())
            .mapToObj(i -> runs.get(runs.size() - 1 - i).startedAt())
            .filter(Objects::nonNull)
            .findFirst()
            .orElse(null),
        job.endedAt(),
        job.nextAttemptAt(),
        runs,
        spec.labels(),
        spec.uniqueKey(),
        job.error(),
        job.version(),
        whole ? result(job) : null,
        files.checkpointAt(),
        job.failedKill(),
        whole && !isOfType ? spec.retry() : null,
        whole && !spec.timeouts().equals(JobTimeouts.NONE) ? spec.timeouts() : null,
        whole ? spec.onLost() : null,
        whole ? spec.nice() : null,
        whole ? spec.requires() : null,
        whole || (args != null && left(args, MOST_LISTED) >= 0) ? args : null,
        files.lacksResult());
  }

  /** Returns how many of so many characters JSON leaves; less than 0 as soon as it has more. */
  private static int left(JsonNode json, int characters) {
    int left = characters;
    if (json.isObject()) {
      for (Map.Entry<String, JsonNode> field : json.properties()) {
        if (left < 0) {
          break;
        }
        left = left(field.getValue(), left - field.getKey().length());
      }
    } else if (json.isArray()) {
      for (int i = 0; i < json.size() && left >= 0; i++) {
        left = left(json.get(i), left - 1);
      }
    } else {
      left -= json.asText().length();
    }
    return left;
  }

  /** Returns the notice of the end of a job that has ended. */
  static JobEnded end(JobData job) {
    JobRun last = job.lastRun();
    JsonNode result = null;
    String lacksResult = job.files() == null ? null : job.files().lacksResult();
    try {
      result = parsed(job);
    } catch (CodecException e) {
      lacksResult = e.getMessage();
    }
    return new JobEnded(
        job.id(),
        job.spec().uniqueKey(),
        job.state(),
        Objects.requireNonNull(job.endedAt(), "only a job that has ended has an end"),
        last == null ? null : last.runId(),
        last == null ? null : last.exitCode(),
        result,
        job.error(),
        lacksResult,
        last == null ? null : last.forGood());
  }

  /** Returns the result that a run wrote, as text if it is no JSON, or beyond a limit. */
  private static @Nullable JsonNode result(JobData job) {
    try {
      return parsed(job);
    } catch (CodecException e) {
      return TextNode.valueOf(Objects.requireNonNull(content(job)).text());
    }
  }

  /**
   * Returns the result that a run wrote, as JSON or, if it is none, as text; null for none.
   *
   * @throws CodecException if it is JSON beyond a limit
   */
  private static @Nullable JsonNode parsed(JobData job) {
    FileContent content = content(job);
    if (content == null) {
      return null;
    }
    try {
      return Json.parseData("the result", content.bytes());
    } catch (CodecException e) {
      if (e.reason() == CodecException.Reason.UNWRITABLE) {
        throw e;
      }
      return TextNode.valueOf(content.text());
    }
  }

  private static @Nullable FileContent content(JobData job) {
    JobFiles files = job.files();
    return files == null ? null : files.result();
  }
}
