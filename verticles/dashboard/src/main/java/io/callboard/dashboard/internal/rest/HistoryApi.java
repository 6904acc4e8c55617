package io.callboard.dashboard.internal.rest;

import io.callboard.dashboard.internal.chart.Range;
import io.callboard.dashboard.internal.chart.Recorder;
import io.callboard.dashboard.internal.contract.ApiResponse;
import io.callboard.dashboard.internal.contract.ContractRouter.Handler;
import io.vertx.core.Future;
import java.util.Map;

/** Operation that reads figures over time. */
public final class HistoryApi {
  private final Recorder recorder;

  /** Creates the operation. */
  public HistoryApi(Recorder recorder) {
    this.recorder = recorder;
  }

  /** Returns the handler by the id of its operation. */
  public Map<String, Handler> handlers() {
    return Map.of(
        "getHistory",
        call ->
            Future.succeededFuture(ApiResponse.ok(recorder.read(Range.of(call.text("range"))))));
  }
}
