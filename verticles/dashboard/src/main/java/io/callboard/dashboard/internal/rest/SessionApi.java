package io.callboard.dashboard.internal.rest;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.dashboard.internal.auth.Authentication;
import io.callboard.dashboard.internal.contract.ApiResponse;
import io.callboard.dashboard.internal.contract.Call;
import io.callboard.dashboard.internal.contract.Caller;
import io.callboard.dashboard.internal.contract.ContractRouter.Handler;
import io.vertx.core.Future;
import java.util.Map;

/** Operations on the caller's own session: its user, login, logout. */
public final class SessionApi {
  private final Authentication authentication;
  private final boolean readOnly;

  /**
   * Creates the operations.
   *
   * @param readOnly whether the node takes no writes, which is told
   */
  public SessionApi(Authentication authentication, boolean readOnly) {
    this.authentication = authentication;
    this.readOnly = readOnly;
  }

  /** Returns the handlers by the id of their operation. */
  public Map<String, Handler> handlers() {
    return Map.of("getSession", this::get, "login", this::login, "logout", this::logout);
  }

  private Future<ApiResponse> get(Call call) {
    return Future.succeededFuture(ApiResponse.ok(session(call.caller())));
  }

  private Future<ApiResponse> login(Call call) {
    return authentication
        .login(
            call.context(),
            call.body().path("user").asText(),
            call.body().path("password").asText())
        .map(
            caller -> {
              caller.sent(call.context());
              return ApiResponse.ok(session(caller));
            });
  }

  private Future<ApiResponse> logout(Call call) {
    authentication.logout(call.context());
    return Future.succeededFuture(ApiResponse.noContent());
  }

  private ObjectNode session(Caller caller) {
    ObjectNode session =
        JsonNodeFactory.instance
            .objectNode()
            .put("login", authentication.isRequired())
            .put("password", authentication.hasPasswords())
            .put("readOnly", readOnly)
            .put("role", caller.role().word());
    return caller.isKnown() ? session.put("user", caller.name()) : session;
  }
}
