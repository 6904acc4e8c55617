package io.callboard.bootstrap;

import io.callboard.testkit.Futures;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Between processes and a server on the loopback interface; cuts their connections. */
final class CutProxy implements AutoCloseable {
  private static final String HOST = "127.0.0.1";

  private final Vertx vertx = Vertx.vertx();
  private final NetClient client = vertx.createNetClient();
  private final Set<NetSocket> open = ConcurrentHashMap.newKeySet();
  private final NetServer server;
  private volatile boolean cut;

  /**
   * @param target host and port
   */
  CutProxy(String target) throws Exception {
    int port = Integer.parseInt(target.substring(target.lastIndexOf(':') + 1));
    server =
        Futures.await(
            vertx.createNetServer().connectHandler(from -> connected(from, port)).listen(0, HOST));
  }

  private void connected(NetSocket from, int port) {
    if (cut) {
      var unused = from.close();
      return;
    }
    from.pause();
    client
        .connect(port, HOST)
        .onSuccess(
            to -> {
              join(from, to);
              join(to, from);
              from.resume();
            })
        .onFailure(cause -> from.close());
  }

  private void join(NetSocket one, NetSocket other) {
    open.add(one);
    one.closeHandler(
        v -> {
          open.remove(one);
          var unused = other.close();
        });
    one.handler(
        bytes -> {
          var unused = other.write(bytes);
        });
  }

  String address() {
    return HOST + ":" + server.actualPort();
  }

  /** Cuts all connections until {@link #mend()}. */
  void cut() {
    cut = true;
    open.forEach(
        socket -> {
          var unused = socket.close();
        });
  }

  void mend() {
    cut = false;
  }

  @Override
  public void close() throws Exception {
    var unused = Futures.await(vertx.close());
  }
}
