package io.callboard.dashboard.internal.rest;

import io.callboard.codecs.Json;
import io.callboard.dashboard.internal.contract.ApiResponse;
import io.callboard.dashboard.internal.contract.Call;
import io.callboard.dashboard.internal.contract.ContractRouter.Handler;
import io.callboard.dashboard.internal.contract.EntityTags;
import io.callboard.dashboard.internal.contract.Fault;
import io.callboard.dashboard.internal.contract.IsoText;
import io.callboard.dashboard.internal.contract.Problem;
import io.callboard.dashboard.internal.contract.Problem.Kind;
import io.callboard.dashboard.internal.contract.ProblemException;
import io.callboard.dashboard.internal.contract.Problems;
import io.callboard.jobs.Jobs;
import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobException;
import io.callboard.jobs.model.JobLog;
import io.callboard.jobs.model.JobLogPart;
import io.callboard.jobs.model.JobPage;
import io.callboard.jobs.model.JobQuery;
import io.callboard.jobs.model.JobState;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Operations on jobs. */
public final class JobApi {
  private static final String LOG_TYPE = "text/plain; charset=utf-8";

  /** Maximum number of bytes of a log in one reply; a client asks for the rest. */
  private static final int MOST_LOG_BYTES = 128 << 10;

  private final Jobs jobs;
  private final LogFollow follow;

  /** Creates the operations. */
  public JobApi(Jobs jobs, LogFollow follow) {
    this.jobs = jobs;
    this.follow = follow;
  }

  /** Returns the handlers by the id of their operation. */
  public Map<String, Handler> handlers() {
    return Map.ofEntries(
        Map.entry("submitJob", this::submit),
        Map.entry("listJobs", this::list),
        Map.entry("getJob", call -> jobs.job(call.text("id")).map(JobApi::reply)),
        Map.entry("deleteJob", this::delete),
        Map.entry("getJobRuns", call -> jobs.job(call.text("id")).map(JobApi::runs)),
        Map.entry(
            "getJobEvents",
            call -> jobs.events(call.text("id")).map(Items::reply).map(ApiResponse::tagged)),
        Map.entry("getJobLog", this::log),
        Map.entry("getJobWhy", this::why),
        Map.entry("cancelJob", call -> act(call, jobs::cancel)),
        Map.entry("rerunJob", call -> act(call, jobs::rerun)),
        Map.entry("holdJob", call -> act(call, jobs::hold)),
        Map.entry("releaseJob", call -> act(call, jobs::release)));
  }

  private Future<ApiResponse> submit(Call call) {
    String key = call.optionalText("Idempotency-Key");
    return jobs.submit(JobRequest.parse(call.body()), key)
        .recover(JobApi::unknownType)
        .map(
            submission -> {
              Job job = submission.job();
              return submission.existing()
                  ? reply(job)
                  : ApiResponse.created(location(call, job), Json.tree(job)).with("ETag", tag(job));
            });
  }

  /** Reports a type that does not exist as a fault of the body, not of the path. */
  private static <T> Future<T> unknownType(Throwable cause) {
    return cause instanceof JobException e
            && e.code() == JobException.Code.NOT_FOUND
            && e.pointer().equals("/type")
        ? Future.failedFuture(
            ProblemException.invalid(List.of(new Fault("/type", String.valueOf(e.getMessage())))))
        : Future.failedFuture(cause);
  }

  private static String location(Call call, Job job) {
    return call.context().request().path() + "/" + job.id();
  }

  private Future<ApiResponse> list(Call call) {
    return page(call)
        .recover(Problems::malformed)
        .map(page -> Items.page(page.items(), page.next(), page.partial(), page.missing()));
  }

  private Future<JobPage> page(Call call) {
    String state = call.optionalText("state");
    String createdAfter = call.optionalText("createdAfter");
    return jobs.list(
        new JobQuery(
            call.optionalText("type"),
            state == null ? null : JobState.valueOf(state),
            call.optionalText("label"),
            createdAfter == null ? null : IsoText.time(createdAfter),
            call.optionalText("q"),
            call.text("sort").equals("createdAt"),
            call.number("limit"),
            call.optionalText("cursor")));
  }

  private Future<ApiResponse> log(Call call) {
    String id = call.text("id");
    Integer run = call.optionalNumber("run");
    Integer tail = call.optionalNumber("tail");
    boolean head = call.context().request().method().equals(HttpMethod.HEAD);
    if (call.flag("follow") && !head) {
      return follow.start(call.context(), id, run, tail);
    }
    Long offset = call.optionalLong("offset");
    Optional<ByteRange> range =
        offset != null
            ? Optional.of(new ByteRange(offset, null))
            : tail != null
                ? Optional.empty()
                : ByteRange.parse(call.context().request().getHeader("Range"));
    return range.isPresent()
        ? part(call, id, run, range.get())
        : jobs.logs().text(id, run, tail).map(JobApi::text);
  }

  private static ApiResponse text(JobLog log) {
    return ApiResponse.text(LOG_TYPE, log.text())
        .with("Accept-Ranges", "bytes")
        .with("Callboard-Run", String.valueOf(log.runId()))
        .with("Callboard-Log", logState(log.complete(), log.truncated()))
        .tagged();
  }

  private static String logState(boolean complete, boolean truncated) {
    return (complete ? "complete" : "open") + (truncated ? ", truncated" : "");
  }

  private Future<ApiResponse> part(Call call, String id, @Nullable Integer run, ByteRange range) {
    Long length = range.length();
    Integer most = length == null ? null : Integer.valueOf((int) Math.min(length, MOST_LOG_BYTES));
    return jobs.logs()
        .part(id, run, range.offset(), most)
        .map(
            part ->
                part(call, part)
                    .with("Accept-Ranges", "bytes")
                    .with("Callboard-Run", String.valueOf(part.runId()))
                    .with("Callboard-Log", logState(part.complete(), part.written() > part.kept()))
                    .with("Callboard-Log-Kept", String.valueOf(part.kept()))
                    .with("Callboard-Log-Written", String.valueOf(part.written())));
  }

  /** Answers with a part of a log: empty at its end, and 416 behind that. */
  private static ApiResponse part(Call call, JobLogPart part) {
    if (part.bytes().length > 0) {
      long last = part.offset() + part.bytes().length - 1;
      return new ApiResponse(
          206,
          Map.of(
              "Content-Type",
              LOG_TYPE,
              "Content-Range",
              "bytes %d-%d/%d".formatted(part.offset(), last, part.kept())),
          Buffer.buffer(part.bytes()));
    }
    String nothing = "bytes */" + part.kept();
    if (part.offset() == part.kept() && call.parameters().containsKey("offset")) {
      return ApiResponse.text(LOG_TYPE, "").with("Content-Range", nothing);
    }
    Problem problem =
        Problem.of(
            Kind.RANGE_NOT_SATISFIABLE,
            "the log has %d bytes, none from offset %d on".formatted(part.kept(), part.offset()));
    return new ApiResponse(
        problem.kind().status(),
        Map.of("Content-Type", Problem.MEDIA_TYPE, "Content-Range", nothing),
        Buffer.buffer(Json.uncheckedBytes(problem.json(call.context().request().path()))));
  }

  private Future<ApiResponse> why(Call call) {
    return jobs.explain(call.text("id")).map(why -> ApiResponse.ok(Json.tree(why)));
  }

  private Future<ApiResponse> delete(Call call) {
    return attempt(call, jobs::delete).map(ApiResponse.noContent());
  }

  private Future<ApiResponse> act(Call call, Function<String, Future<Job>> action) {
    return attempt(call, action)
        .map(job -> ApiResponse.accepted(Json.tree(job)).with("ETag", tag(job)));
  }

  /** Acts on a job; if its state forbids that, the problem names the state. */
  private Future<Job> attempt(Call call, Function<String, Future<Job>> action) {
    String id = call.text("id");
    return action
        .apply(id)
        .recover(cause -> Problems.withState(cause, () -> jobs.job(id).map(Job::state)));
  }

  private static ApiResponse reply(Job job) {
    return ApiResponse.ok(Json.tree(job)).with("ETag", tag(job));
  }

  private static ApiResponse runs(Job job) {
    return Items.reply(job.runs()).with("ETag", tag(job));
  }

  private static String tag(Job job) {
    return EntityTags.ofVersion(job.version());
  }
}
