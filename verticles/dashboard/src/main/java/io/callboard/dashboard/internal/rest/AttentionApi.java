package io.callboard.dashboard.internal.rest;

import io.callboard.codecs.Json;
import io.callboard.dashboard.internal.attention.Attention;
import io.callboard.dashboard.internal.attention.AttentionRules;
import io.callboard.dashboard.internal.contract.ApiResponse;
import io.callboard.dashboard.internal.contract.ContractRouter.Handler;
import java.util.Map;

/** Operation that lists the troubles of the cell. */
public final class AttentionApi {
  private final Attention attention;

  /** Creates the operation. */
  public AttentionApi(Attention attention) {
    this.attention = attention;
  }

  /** Returns the handler by the id of its operation. */
  public Map<String, Handler> handlers() {
    return Map.of("listAttention", call -> attention.now().map(AttentionApi::reply));
  }

  private static ApiResponse reply(AttentionRules.Found found) {
    return ApiResponse.ok(
        Items.object(found.items().stream().map(Json::tree).toList())
            .put("omitted", found.omittedInAll())
            .put("read", found.read())
            .set("omittedBySeverity", Json.tree(found.omitted())));
  }
}
