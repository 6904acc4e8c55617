package io.callboard.dashboard;

import io.callboard.dashboard.internal.contract.Caller;
import io.callboard.dashboard.internal.contract.Fault;
import io.callboard.dashboard.internal.contract.ProblemException;
import io.callboard.dashboard.internal.contract.Role;
import io.callboard.dashboard.internal.guard.OperationGuard;
import io.callboard.dashboard.internal.live.LiveFeed;
import io.vertx.core.Future;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.ext.web.RoutingContext;
import java.util.List;

/** Endpoint of the WebSocket: admits clients that are allowed to connect, while there is room. */
final class LiveEndpoint {
  /** The only protocol that is spoken here. */
  static final String SUBPROTOCOL = "callboard.v1+json";

  private final LiveFeed feed;

  LiveEndpoint(LiveFeed feed) {
    this.feed = feed;
  }

  /**
   * Upgrades a request; throws a {@link ProblemException} with the reason if the client is not
   * admitted.
   */
  void upgrade(RoutingContext context) {
    String upgrade = context.request().getHeader("Upgrade");
    if (!"websocket".equalsIgnoreCase(upgrade)) {
      throw ProblemException.malformed(
          List.of(new Fault("", "this is a WebSocket endpoint: the request must be an upgrade")));
    }
    String offered = context.request().getHeader("Sec-WebSocket-Protocol");
    if (offered == null || !List.of(offered.split("\\s*,\\s*")).contains(SUBPROTOCOL)) {
      throw ProblemException.malformed(
          List.of(new Fault("/Sec-WebSocket-Protocol", "must offer " + SUBPROTOCOL)));
    }
    Caller caller = Caller.of(context);
    OperationGuard.require(caller, Role.VIEWER, "the WebSocket");
    if (!feed.enter()) {
      throw ProblemException.overloaded(
          "%d dashboard clients are connected already, which is the limit of this node"
              .formatted(LiveFeed.MOST_CLIENTS));
    }
    Future<ServerWebSocket> upgraded;
    try {
      upgraded = context.request().toWebSocket();
    } catch (RuntimeException e) { // the request has ended meanwhile
      feed.leave();
      throw e;
    }
    upgraded
        .onSuccess(socket -> feed.accept(socket, caller))
        .onFailure(
            cause -> {
              feed.leave();
              context.fail(cause);
            });
  }
}
