package io.callboard.dashboard.contract;

import io.vertx.core.net.SocketAddress;
import io.vertx.ext.web.RoutingContext;
import java.util.function.BooleanSupplier;

/**
 * Who sent a request.
 *
 * @param name name of the user; {@code local} where the node asks for no login
 * @param role what the caller may do
 * @param still whether that still holds: false once the session or the token has ended, or the user
 *     was changed; may be called on any thread
 */
public record Caller(String name, Role role, BooleanSupplier still) {
  /** Whoever reaches a node that asks for no login. */
  public static final Caller LOCAL = new Caller("local", Role.ADMIN, () -> true);

  /** One who has not logged in. */
  public static final Caller NOBODY = new Caller("-", Role.ANYONE, () -> true);

  private static final String KEY = "callboard.caller";

  /** Returns whether the caller has logged in, or need not. */
  public boolean isKnown() {
    return role != Role.ANYONE;
  }

  /** Notes who sent a request. */
  public void sent(RoutingContext context) {
    context.put(KEY, this);
  }

  /** Returns who sent a request: nobody, unless noted. */
  public static Caller of(RoutingContext context) {
    Caller noted = context.get(KEY, NOBODY);
    return noted;
  }

  /** Returns the address from which a request came; that of a proxy, if there is one. */
  public static String address(RoutingContext context) {
    SocketAddress address = context.request().remoteAddress();
    String host = address == null ? null : address.hostAddress();
    return host == null ? "an unknown address" : host;
  }
}
