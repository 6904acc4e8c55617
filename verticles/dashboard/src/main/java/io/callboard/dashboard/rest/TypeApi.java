package io.callboard.dashboard.rest;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.Json;
import io.callboard.dashboard.contract.ApiResponse;
import io.callboard.dashboard.contract.Call;
import io.callboard.dashboard.contract.ContractRouter.Handler;
import io.callboard.dashboard.contract.EntityTags;
import io.callboard.dashboard.contract.Fault;
import io.callboard.dashboard.contract.IsoText;
import io.callboard.dashboard.contract.Problem;
import io.callboard.dashboard.contract.Problem.Kind;
import io.callboard.dashboard.contract.ProblemException;
import io.callboard.dashboard.model.CellModel;
import io.callboard.grid.Grid;
import io.callboard.grid.GridEvent;
import io.callboard.jobs.Jobs;
import io.callboard.jobs.model.JobException;
import io.callboard.jobs.model.JobType;
import io.callboard.jobs.model.RetryPolicy;
import io.callboard.jobs.model.TypeRetention;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Operations on types of jobs. */
public final class TypeApi {
  /** Number of attempts to change a type that others change, too. */
  private static final int MOST_ATTEMPTS = 5;

  private final Jobs jobs;
  private final CellModel model;
  private final Grid grid;

  public TypeApi(Jobs jobs, CellModel model, Grid grid) {
    this.jobs = jobs;
    this.model = model;
    this.grid = grid;
  }

  /** Tells the cell of a type that was paused or resumed. */
  private JobType noted(JobType type, boolean before) {
    if (type.paused() != before) {
      grid.note(
          type.paused() ? GridEvent.TYPE_PAUSED : GridEvent.TYPE_RESUMED,
          type.name(),
          type.paused() ? "none of its jobs is started" : "its jobs are started again");
    }
    return type;
  }

  /** Returns the handlers by the id of their operation. */
  public Map<String, Handler> handlers() {
    return Map.of(
        "listHosts", call -> model.hosts(jobs).map(Items::reply),
        "listTypes", call -> jobs.types().map(Items::reply),
        "getType",
            call -> jobs.type(call.text("t")).recover(TypeApi::notInBody).map(TypeApi::reply),
        "putType", this::put,
        "pauseType", call -> turned(call.text("t"), true),
        "resumeType", call -> turned(call.text("t"), false));
  }

  /** Pauses or resumes a type; only a change is noted. */
  private Future<ApiResponse> turned(String name, boolean paused) {
    return jobs.type(name)
        .map(JobType::paused)
        .otherwise(!paused) // whether there is one is said by what follows
        .compose(
            before ->
                (paused ? jobs.pause(name) : jobs.resume(name))
                    .map(type -> reply(noted(type, before))));
  }

  private Future<ApiResponse> put(Call call) {
    String name = call.text("t");
    String given = call.body().path("name").asText(name);
    if (!given.equals(name)) {
      throw ProblemException.invalid(
          "/name", "must be \"%s\" as in the path, or be omitted".formatted(name));
    }
    return put(call, name, 1).map(TypeApi::reply);
  }

  /**
   * Changes what is there, which another request may do at the same time: then it is read again,
   * or, if the client says what it has read, refused.
   */
  private Future<JobType> put(Call call, String name, int attempt) {
    String ifMatch = call.optionalText("If-Match");
    return jobs.type(name)
        .map(Optional::of)
        .recover(
            cause ->
                isOf(cause, JobException.Code.NOT_FOUND)
                    ? Future.succeededFuture(Optional.empty())
                    : Future.failedFuture(cause))
        .compose(
            present -> {
              boolean other =
                  ifMatch != null
                      && present.filter(type -> EntityTags.isSame(ifMatch, tag(type))).isEmpty();
              return other
                  ? changedMeanwhile(name)
                  : jobs.putType(
                          changed(present.orElseGet(() -> fresh(name)), call.body()),
                          present.orElse(null))
                      .map(type -> noted(type, present.map(JobType::paused).orElse(false)));
            })
        .recover(
            cause -> {
              if (!isOf(cause, JobException.Code.ILLEGAL_STATE)) {
                return Future.failedFuture(cause);
              } else if (ifMatch != null) {
                return changedMeanwhile(name);
              }
              return attempt < MOST_ATTEMPTS
                  ? put(call, name, attempt + 1)
                  : Future.failedFuture(cause);
            });
  }

  private static Future<JobType> changedMeanwhile(String name) {
    return Future.failedFuture(
        new ProblemException(
            Problem.of(
                Kind.PRECONDITION_FAILED,
                "type %s is not what If-Match says: read it again".formatted(name))));
  }

  private static String tag(JobType type) {
    return String.valueOf(reply(type).headers().get("ETag"));
  }

  private static JobType fresh(String name) {
    return new JobType(name, JobType.PROCESS, 0, false, RetryPolicy.ONCE);
  }

  private static JobType changed(JobType present, JsonNode body) {
    List<Fault> faults = new ArrayList<>();
    RetryPolicy retry = JobRequest.retry(body.path("retry"), present.retry(), faults);
    if (!faults.isEmpty()) {
      throw ProblemException.invalid(faults);
    }
    return new JobType(
        present.name(),
        body.path("runner").asText(present.runner()),
        body.path("limit").asInt(),
        body.path("paused").asBoolean(present.paused()),
        retry,
        share(body, present),
        body.has("retention") ? retention(body.get("retention")) : present.retention());
  }

  /** Returns a retention, which replaces the one before; null if all of it is the nodes'. */
  private static @Nullable TypeRetention retention(JsonNode body) {
    TypeRetention given =
        new TypeRetention(
            time(body, "successes"),
            time(body, "failures"),
            time(body, "files"),
            time(body, "logs"));
    return given.equals(new TypeRetention(null, null, null, null)) ? null : given;
  }

  private static @Nullable Duration time(JsonNode retention, String name) {
    return retention.has(name) ? IsoText.duration(retention.get(name).asText()) : null;
  }

  /** Returns the share of a host; a whole one is no limit. */
  private static @Nullable Double share(JsonNode body, JobType present) {
    if (!body.has("maxShare")) {
      return present.maxShare();
    }
    double share = body.get("maxShare").asDouble();
    return share == 1 ? null : share;
  }

  private static boolean isOf(Throwable cause, JobException.Code code) {
    return cause instanceof JobException e && e.code() == code;
  }

  /** Reports a missing type as named by the path, with no field at fault. */
  private static <T> Future<T> notInBody(Throwable cause) {
    return isOf(cause, JobException.Code.NOT_FOUND)
        ? Future.failedFuture(ProblemException.notFound(String.valueOf(cause.getMessage())))
        : Future.failedFuture(cause);
  }

  private static ApiResponse reply(JobType type) {
    return ApiResponse.ok(Json.tree(type)).tagged();
  }
}
