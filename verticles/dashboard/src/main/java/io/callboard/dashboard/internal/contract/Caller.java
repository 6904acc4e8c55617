package io.callboard.dashboard.internal.contract;

import io.vertx.core.net.SocketAddress;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Sender of a request.
 *
 * @param name name of the user; {@code local} where the node asks for no login
 * @param role what the caller may do
 * @param still whether that still holds: false once the session or the token has ended, or the user
 *     was changed; may be called on any thread
 */
public record Caller(String name, Role role, BooleanSupplier still) {
  /** Caller of a node that asks for no login. */
  public static final Caller LOCAL = new Caller("local", Role.ADMIN, () -> true);

  /** One who has not logged in. */
  public static final Caller NOBODY = new Caller("-", Role.ANYONE, () -> true);

  private static final String KEY = "callboard.caller";
  private static final String ADDRESS = "callboard.address";

  /** Returns whether the caller has logged in, or need not. */
  public boolean isKnown() {
    return role != Role.ANYONE;
  }

  /** Records the sender of a request. */
  public void sent(RoutingContext context) {
    context.put(KEY, this);
  }

  /** Returns the recorded sender of a request; nobody if none was recorded. */
  public static Caller of(RoutingContext context) {
    Caller noted = context.get(KEY, NOBODY);
    return noted;
  }

  /**
   * Records the address of the client, if the request came through known proxies: the last address
   * in {@code X-Forwarded-For} that is not one of these. What stands before it could be invented.
   *
   * @param proxies addresses of the proxies, as {@link Address#text}
   */
  public static void through(RoutingContext context, Set<String> proxies) {
    String client = peer(context);
    List<String> hops =
        List.of(
            String.join(",", context.request().headers().getAll("X-Forwarded-For")).split(",", -1));
    for (int i = hops.size() - 1; i >= 0 && isOf(client, proxies); i--) {
      Optional<Address> hop = Address.of(hops.get(i).strip());
      if (hop.isEmpty()) {
        break;
      }
      client = hop.get().text();
    }
    context.put(ADDRESS, client);
  }

  private static boolean isOf(String address, Set<String> proxies) {
    return Address.of(address).filter(known -> proxies.contains(known.text())).isPresent();
  }

  /**
   * Returns the address from which a request came; that of the last proxy, if it is not known as
   * one.
   */
  public static String address(RoutingContext context) {
    @Nullable String client = context.get(ADDRESS);
    return client == null ? peer(context) : client;
  }

  private static String peer(RoutingContext context) {
    SocketAddress address = context.request().remoteAddress();
    String host = address == null ? null : address.hostAddress();
    return host == null ? "an unknown address" : host;
  }
}
