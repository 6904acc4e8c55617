package io.callboard.dashboard.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.codecs.Json;
import io.callboard.dashboard.audit.Detail;
import io.callboard.dashboard.audit.Reason;
import io.callboard.dashboard.bulk.BulkJobs;
import io.callboard.dashboard.bulk.BulkJobs.Order;
import io.callboard.dashboard.bulk.Extent;
import io.callboard.dashboard.bulk.JobAction;
import io.callboard.dashboard.bulk.JobFilter;
import io.callboard.dashboard.bulk.JobSelection;
import io.callboard.dashboard.contract.ApiResponse;
import io.callboard.dashboard.contract.Call;
import io.callboard.dashboard.contract.ContractRouter.Handler;
import io.callboard.dashboard.contract.IsoText;
import io.callboard.dashboard.contract.ProblemException;
import io.callboard.jobs.model.JobException;
import io.callboard.jobs.model.JobState;
import io.vertx.core.Future;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Operations on many jobs at once. */
public final class BulkJobApi {
  private static final Logger log = LoggerFactory.getLogger(BulkJobApi.class);
  private static final long FOUND_WITHIN_MS = 10_000;

  private final JobSelection selection;
  private final BulkJobs bulk;

  /** Creates the operations. */
  public BulkJobApi(JobSelection selection, BulkJobs bulk) {
    this.selection = selection;
    this.bulk = bulk;
  }

  /** Returns the handlers by the id of their operation. */
  public Map<String, Handler> handlers() {
    return Map.of(
        "getJobActionExtent",
        this::extent,
        "startJobAction",
        this::start,
        "listJobActions",
        call -> Future.succeededFuture(Items.reply(bulk.last())),
        "stopJobAction",
        this::stop);
  }

  private Future<ApiResponse> extent(Call call) {
    JobFilter filter =
        filter(
            call.optionalText("type"),
            call.optionalText("state"),
            call.optionalText("label"),
            call.optionalText("q"),
            null);
    return selection
        .find(JobAction.of(call.text("action")), filter, JobSelection.MOST)
        .recover(JobApi::malformed)
        .map(BulkJobApi::reply);
  }

  private static ApiResponse reply(Extent extent) {
    ObjectNode body = (ObjectNode) Json.tree(extent);
    JsonNode unused = body.remove("ids"); // the filter finds them again
    return ApiResponse.ok(body.put("matched", extent.ids().size()));
  }

  private static JobFilter filter(
      @Nullable String type,
      @Nullable String state,
      @Nullable String label,
      @Nullable String text,
      @Nullable String createdUntil) {
    return new JobFilter(
        type,
        state == null ? null : JobState.valueOf(state),
        label,
        text,
        createdUntil == null ? null : IsoText.time(createdUntil));
  }

  private Future<ApiResponse> start(Call call) {
    JobAction action = JobAction.of(call.text("action"));
    JsonNode body = call.body();
    if (body.has("ids") == body.has("filter")) {
      throw ProblemException.invalid(
          "/filter", "give either the ids of the jobs or a filter, {} for all of them");
    }
    if (body.has("ids")) {
      Set<String> ids = new LinkedHashSet<>();
      body.path("ids").forEach(id -> ids.add(id.asText()));
      note(call, ids.size(), Detail.ids(List.copyOf(ids)));
      return Future.succeededFuture(
          started(order(call, action, action.possible(), null), List.copyOf(ids)));
    }
    JsonNode given = body.path("filter");
    JobFilter filter =
        filter(
            text(given, "type"),
            text(given, "state"),
            text(given, "label"),
            text(given, "q"),
            text(given, "createdUntil"));
    int limit = body.path("limit").asInt(JobSelection.MOST);
    String meant = "of %s, at most %d".formatted(filter.words(), limit);
    Detail.put(call.context(), "jobs " + meant);
    return selection
        .find(action, filter, limit)
        .timeout(FOUND_WITHIN_MS, TimeUnit.MILLISECONDS) // before the request has its answer
        .recover(BulkJobApi::ofBody)
        .map(
            extent -> {
              log.info("jobs are selected by {}: {}", filter.words(), extent.ids().size());
              note(call, extent.ids().size(), meant);
              Order order = order(call, action, action.meant(filter.state()), extent.incomplete());
              return started(order, extent.ids());
            });
  }

  /** Notes for the audit which jobs are meant, and how many. */
  private static void note(Call call, int jobs, String which) {
    Detail.put(
        call.context(),
        "%d %s %s, %s a second"
            .formatted(
                jobs,
                jobs == 1 ? "job" : "jobs",
                which,
                call.body().path("ratePerSecond").asText()));
  }

  private static Order order(
      Call call, JobAction action, List<JobState> meant, @Nullable String incomplete) {
    return new Order(
        action,
        call.client(),
        Reason.of(call.context().request().getHeader(Reason.HEADER)),
        call.body().path("ratePerSecond").asDouble(),
        meant,
        incomplete);
  }

  /** Reports what is wrong with the filter as a fault of the body. */
  private static <T> Future<T> ofBody(Throwable cause) {
    return cause instanceof JobException e && e.code() == JobException.Code.INVALID
        ? Future.failedFuture(
            ProblemException.invalid("/filter" + e.pointer(), String.valueOf(e.getMessage())))
        : Future.failedFuture(cause);
  }

  private ApiResponse started(Order order, List<String> ids) {
    return ApiResponse.accepted(Json.tree(bulk.start(order, ids)));
  }

  private static @Nullable String text(JsonNode object, String field) {
    return object.has(field) ? object.get(field).asText() : null;
  }

  private Future<ApiResponse> stop(Call call) {
    return bulk.stop("it was stopped by " + call.client())
        .map(status -> Future.succeededFuture(ApiResponse.accepted(Json.tree(status))))
        .orElseGet(
            () ->
                Future.failedFuture(
                    ProblemException.notFound("this node has no action on many jobs under way")));
  }
}
