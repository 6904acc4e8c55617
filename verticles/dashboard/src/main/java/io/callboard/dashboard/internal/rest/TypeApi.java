package io.callboard.dashboard.internal.rest;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.dashboard.internal.audit.Reason;
import io.callboard.dashboard.internal.contract.ApiResponse;
import io.callboard.dashboard.internal.contract.Call;
import io.callboard.dashboard.internal.contract.ContractRouter.Handler;
import io.callboard.dashboard.internal.contract.EntityTags;
import io.callboard.dashboard.internal.contract.Fault;
import io.callboard.dashboard.internal.contract.IsoText;
import io.callboard.dashboard.internal.contract.Problem;
import io.callboard.dashboard.internal.contract.Problem.Kind;
import io.callboard.dashboard.internal.contract.ProblemException;
import io.callboard.dashboard.internal.model.CellModel;
import io.callboard.dashboard.internal.model.TypeRows;
import io.callboard.grid.Grid;
import io.callboard.grid.GridEvent;
import io.callboard.jobs.Jobs;
import io.callboard.jobs.TypeViews;
import io.callboard.jobs.model.JobException;
import io.callboard.jobs.model.JobType;
import io.callboard.jobs.model.RetryPolicy;
import io.callboard.jobs.model.TypeRetention;
import io.callboard.jobs.model.TypeView;
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
  private final TypeViews types;
  private final CellModel model;
  private final Grid grid;

  public TypeApi(Jobs jobs, CellModel model, Grid grid) {
    this.jobs = jobs;
    this.types = jobs.typeViews();
    this.model = model;
    this.grid = grid;
  }

  /** Tells the cell of a type that was paused or resumed, and by whom. */
  private TypeView noted(TypeView changed, boolean before, Call call) {
    JobType type = changed.type();
    if (type.paused() != before) {
      String reason = reason(call);
      grid.note(
          type.paused() ? GridEvent.TYPE_PAUSED : GridEvent.TYPE_RESUMED,
          type.name(),
          "%s, by %s%s"
              .formatted(
                  type.paused() ? "none of its jobs is started" : "its jobs are started again",
                  by(call),
                  reason == null ? "" : ": " + reason));
    }
    return changed;
  }

  private static String by(Call call) {
    return Reason.line(call.who());
  }

  private static @Nullable String reason(Call call) {
    String given = Reason.of(call.context().request().getHeader(Reason.HEADER));
    return given.isEmpty() ? null : given;
  }

  /** Returns the handlers by the id of their operation. */
  public Map<String, Handler> handlers() {
    return Map.of(
        "listHosts", call -> model.hosts(jobs).map(Items::reply),
        "listTypes", call -> types.all().map(all -> Items.reply(TypeRows.of(all))),
        "getType", call -> types.of(call.text("t")).recover(TypeApi::notInBody).map(TypeApi::reply),
        "putType", this::put,
        "pauseType", call -> turned(call, true),
        "resumeType", call -> turned(call, false));
  }

  /** Pauses or resumes a type; only a change is noted. */
  private Future<ApiResponse> turned(Call call, boolean paused) {
    String name = call.text("t");
    return types
        .of(name)
        .map(view -> view.type().paused())
        .otherwise(!paused) // whether there is one is said by what follows
        .compose(
            before ->
                (paused ? types.pause(name, by(call), reason(call)) : types.resume(name))
                    .map(view -> reply(noted(view, before, call))));
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
  private Future<TypeView> put(Call call, String name, int attempt) {
    String ifMatch = call.optionalText("If-Match");
    return types
        .of(name)
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
                      && present.filter(view -> EntityTags.isSame(ifMatch, tag(view))).isEmpty();
              JobType read = present.map(TypeView::type).orElse(null);
              return other
                  ? changedMeanwhile(name)
                  : types
                      .put(
                          changed(read == null ? fresh(name, call.body()) : read, call.body()),
                          read,
                          by(call),
                          reason(call))
                      .map(view -> noted(view, read != null && read.paused(), call));
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

  private static Future<TypeView> changedMeanwhile(String name) {
    return Future.failedFuture(
        new ProblemException(
            Problem.of(
                Kind.PRECONDITION_FAILED,
                "type %s is not what If-Match says: read it again".formatted(name))));
  }

  /**
   * Returns the entity tag: of all that is shown, as a strong one must be, so that who has read a
   * pause of somebody else is refused, too, though the gate would not.
   */
  private static String tag(TypeView view) {
    return String.valueOf(reply(view).headers().get("ETag"));
  }

  private static JobType fresh(String name, JsonNode body) {
    return body.has("handler")
        ? JobType.ofHandler(name)
        : new JobType(name, JobType.PROCESS, 0, false, RetryPolicy.ONCE);
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
        body.has("retention") ? retention(body.get("retention")) : present.retention(),
        body.has("handler") ? body.get("handler").asText() : present.handler());
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

  private static ApiResponse reply(TypeView view) {
    return ApiResponse.ok(TypeRows.of(view)).tagged();
  }
}
