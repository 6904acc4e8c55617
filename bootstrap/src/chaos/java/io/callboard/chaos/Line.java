package io.callboard.chaos;

import io.callboard.chaos.Network.Way;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Line that carries the connections from one host to another; closed at first. */
final class Line {
  private static final int CHUNK = 1 << 16;
  private static final int BACKLOG = 128;
  private static final Duration REBIND = Duration.ofSeconds(5);

  private final LoopbackNetwork network;
  private final Way way;
  private final InetSocketAddress near;
  private final InetSocketAddress far;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private @Nullable ServerSocket listener;

  private interface Work {
    void run() throws IOException, InterruptedException;
  }

  Line(LoopbackNetwork network, Way way, String address, int port) throws IOException {
    this.network = network;
    this.way = way;
    this.near = new InetSocketAddress(InetAddress.getByName(address), port);
    this.far = new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port);
  }

  /** Accepts connections; idempotent. */
  synchronized void open() throws Exception {
    if (listener == null) {
      ServerSocket opened = new ServerSocket();
      opened.setReuseAddress(true);
      // the last listener lets go of the port when its thread has left it
      Await.until(
          "port " + near,
          REBIND,
          () -> {
            opened.bind(near, BACKLOG);
            return true;
          });
      listener = opened;
      start("accept", () -> accept(opened));
    }
  }

  private void accept(ServerSocket opened) throws IOException {
    while (!opened.isClosed()) {
      Socket client = opened.accept();
      sockets.add(client);
      start("connect", () -> connect(client));
    }
  }

  /** Connects to the far end when both directions are open. */
  private void connect(Socket client) throws IOException, InterruptedException {
    Socket server = new Socket();
    sockets.add(server);
    try {
      network.awaitOpen(way);
      network.awaitOpen(way.back());
      server.connect(far);
      client.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
    } catch (IOException refused) {
      end(client, server);
      return;
    }
    start("out", () -> carry(client, server, way));
    start("back", () -> carry(server, client, way.back()));
  }

  private void carry(Socket from, Socket to, Way direction)
      throws IOException, InterruptedException {
    byte[] chunk = new byte[CHUNK];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
        network.awaitOpen(direction);
        out.write(chunk, 0, read);
      }
      network.awaitOpen(direction);
    } catch (IOException broken) {
      network.awaitOpen(direction); // that it broke is told no sooner than what was sent
    } finally {
      end(from, to);
    }
  }

  private void end(Socket one, Socket other) throws IOException {
    sockets.remove(one);
    sockets.remove(other);
    one.close();
    other.close();
  }

  /** Starts a thread, which can fail only because a connection ends. */
  private void start(String name, Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (IOException ended) {
                return;
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            },
            "line %d to %d %s".formatted(way.from(), way.to(), name));
    thread.setDaemon(true);
    thread.start();
  }

  /** Returns whether a connection leads through this line. */
  boolean isUsed() {
    return !sockets.isEmpty();
  }

  void reset() {
    sockets.forEach(Line::close);
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Refuses connections, and ends those that are. */
  synchronized void close() {
    if (listener != null) {
      try {
        listener.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      listener = null;
    }
    reset();
  }
}
