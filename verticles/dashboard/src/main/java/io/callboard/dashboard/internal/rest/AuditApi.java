package io.callboard.dashboard.internal.rest;

import io.callboard.dashboard.internal.audit.AuditTrail;
import io.callboard.dashboard.internal.contract.ApiResponse;
import io.callboard.dashboard.internal.contract.Call;
import io.callboard.dashboard.internal.contract.ContractRouter.Handler;
import io.vertx.core.Future;
import java.util.Map;

/** Operation that lists the last writes. */
public final class AuditApi {
  private final AuditTrail audit;

  /** Creates the operation. */
  public AuditApi(AuditTrail audit) {
    this.audit = audit;
  }

  /** Returns the handlers by the id of their operation. */
  public Map<String, Handler> handlers() {
    return Map.of("listAudit", call -> Future.succeededFuture(list(call)));
  }

  private ApiResponse list(Call call) {
    return Items.reply(audit.last(call.number("limit")));
  }
}
