package io.callboard.pollers.source;

import io.callboard.testkit.Futures;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * TCP proxy before a server on the loopback interface, so that a test can cut a client off without
 * a goodbye, or take the server away from the clients of this test only. Its end is {@link #close}.
 */
public final class Wire implements AutoCloseable {
  private final NetServer server;
  private final NetClient client;
  private final int target;
  private final Set<NetSocket> sockets = ConcurrentHashMap.newKeySet();
  private volatile boolean open = true;

  private Wire(Vertx vertx, int target) {
    this.server = vertx.createNetServer();
    this.client = vertx.createNetClient();
    this.target = target;
  }

  /** Opens a proxy before the server at this port. */
  public static Wire before(Vertx vertx, int target) {
    Wire wire = new Wire(vertx, target);
    wire.server.connectHandler(wire::connected);
    Futures.await(wire.server.listen(0, "127.0.0.1"));
    return wire;
  }

  /** Returns the port that clients use. */
  public int port() {
    return server.actualPort();
  }

  private void connected(NetSocket near) {
    if (!open) {
      ends(near.close());
      return;
    }
    near.pause();
    sockets.add(near);
    near.closeHandler(v -> sockets.remove(near));
    client
        .connect(target, "127.0.0.1")
        .onFailure(cause -> ends(near.close()))
        .onSuccess(far -> join(near, far));
  }

  private void join(NetSocket near, NetSocket far) {
    if (!open || !sockets.contains(near)) {
      ends(near.close());
      ends(far.close());
      return;
    }
    sockets.add(far);
    near.closeHandler(v -> ended(near, far));
    far.closeHandler(v -> ended(far, near));
    ends(near.pipe().endOnFailure(false).to(far));
    ends(far.pipe().endOnFailure(false).to(near));
    near.resume();
  }

  private void ended(NetSocket one, NetSocket other) {
    sockets.remove(one);
    ends(other.close());
  }

  /** Ends something whose failure only says that it has ended already. */
  private static void ends(Future<Void> ending) {
    ending.onFailure(cause -> {});
  }

  /** Returns how many connections there are. */
  public int connections() {
    return sockets.size() / 2;
  }

  /** Ends all connections; new ones are accepted. */
  public void drop() {
    List<Future<Void>> closing = new ArrayList<>();
    for (NetSocket socket : sockets) {
      closing.add(socket.close());
    }
    Futures.await(Future.join(closing).transform(ended -> Future.succeededFuture()));
  }

  /** Ends all connections, and each new one at once. */
  public void cut() {
    open = false;
    drop();
  }

  /** Accepts connections again. */
  public void mend() {
    open = true;
  }

  /** Ends the proxy. */
  @Override
  public void close() {
    cut();
    Futures.await(server.close());
    Futures.await(client.close());
  }
}
