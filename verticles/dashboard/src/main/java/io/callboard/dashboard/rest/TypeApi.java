package io.callboard.dashboard.rest;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.Json;
import io.callboard.dashboard.contract.ApiResponse;
import io.callboard.dashboard.contract.Call;
import io.callboard.dashboard.contract.ContractRouter.Handler;
import io.callboard.dashboard.contract.Fault;
import io.callboard.dashboard.contract.IsoText;
import io.callboard.dashboard.contract.ProblemException;
import io.callboard.dashboard.model.CellModel;
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
import org.jspecify.annotations.Nullable;

/** Operations on types of jobs. */
public final class TypeApi {
  private final Jobs jobs;
  private final CellModel model;

  public TypeApi(Jobs jobs, CellModel model) {
    this.jobs = jobs;
    this.model = model;
  }

  /** Returns the handlers by the id of their operation. */
  public Map<String, Handler> handlers() {
    return Map.of(
        "listHosts", call -> model.hosts(jobs).map(Items::reply),
        "listTypes", call -> jobs.types().map(Items::reply),
        "getType",
            call -> jobs.type(call.text("t")).recover(TypeApi::notInBody).map(TypeApi::reply),
        "putType", this::put,
        "pauseType", call -> jobs.pause(call.text("t")).map(TypeApi::reply),
        "resumeType", call -> jobs.resume(call.text("t")).map(TypeApi::reply));
  }

  private Future<ApiResponse> put(Call call) {
    String name = call.text("t");
    String given = call.body().path("name").asText(name);
    if (!given.equals(name)) {
      throw ProblemException.invalid(
          "/name", "must be \"%s\" as in the path, or be omitted".formatted(name));
    }
    return jobs.type(name)
        .recover(cause -> isNotFound(cause) ? fresh(name) : Future.failedFuture(cause))
        .compose(present -> jobs.putType(changed(present, call.body())))
        .map(TypeApi::reply);
  }

  private static Future<JobType> fresh(String name) {
    return Future.succeededFuture(new JobType(name, JobType.PROCESS, 0, false, RetryPolicy.ONCE));
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

  private static boolean isNotFound(Throwable cause) {
    return cause instanceof JobException e && e.code() == JobException.Code.NOT_FOUND;
  }

  /** Reports a missing type as named by the path, with no field at fault. */
  private static <T> Future<T> notInBody(Throwable cause) {
    return isNotFound(cause)
        ? Future.failedFuture(ProblemException.notFound(String.valueOf(cause.getMessage())))
        : Future.failedFuture(cause);
  }

  private static ApiResponse reply(JobType type) {
    return ApiResponse.ok(Json.tree(type));
  }
}
