package io.callboard.dashboard.internal.rest;

import io.callboard.codecs.Json;
import io.callboard.dashboard.internal.contract.ApiResponse;
import io.callboard.dashboard.internal.contract.Call;
import io.callboard.dashboard.internal.contract.ContractRouter.Handler;
import io.callboard.dashboard.internal.contract.ProblemException;
import io.callboard.jobs.Jobs;
import io.callboard.jobs.model.LabelLimit;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;

/** Operations on the limits of labels. */
public final class LimitApi {
  private final Jobs jobs;

  /** Creates the operations. */
  public LimitApi(Jobs jobs) {
    this.jobs = jobs;
  }

  /** Returns the handlers by the id of their operation. */
  public Map<String, Handler> handlers() {
    return Map.of(
        "listLimits", call -> jobs.limits().all().map(Items::reply),
        "getLimit", call -> jobs.limits().all().map(limits -> one(limits, call.text("label"))),
        "putLimit", this::put,
        "deleteLimit",
            call -> jobs.limits().remove(call.text("label")).map(left -> ApiResponse.noContent()));
  }

  private Future<ApiResponse> put(Call call) {
    String label = call.text("label");
    return jobs.limits()
        .put(label, call.body().path("running").asInt())
        .map(limits -> one(limits, label));
  }

  private static ApiResponse one(List<LabelLimit> limits, String label) {
    return limits.stream()
        .filter(limit -> limit.label().equals(label))
        .findFirst()
        .map(limit -> ApiResponse.ok(Json.tree(limit)))
        .orElseThrow(() -> ProblemException.notFound("label \"%s\" has no limit".formatted(label)));
  }
}
