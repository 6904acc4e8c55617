package io.callboard.zookeeper.faults;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** One connection through a {@link FaultProxy}, frame by frame. */
final class ProxyLink {
  private final FaultProxy proxy;
  private final Socket client;
  private final Socket server;
  private final List<byte[]> heldUp = new ArrayList<>();
  private final List<byte[]> heldDown = new ArrayList<>();
  private final Set<Integer> dropped = ConcurrentHashMap.newKeySet();
  private final Map<Integer, FaultProxy.Trap> trapped = new ConcurrentHashMap<>();

  interface Work {
    void run() throws IOException;
  }

  ProxyLink(FaultProxy proxy, Socket client, Socket server) throws IOException {
    this.proxy = proxy;
    this.client = client;
    this.server = server;
    client.setTcpNoDelay(true);
    server.setTcpNoDelay(true);
  }

  static void start(String name, Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (IOException endOfConnection) {
                Thread.currentThread().interrupt();
              }
            },
            "fault-proxy-" + name);
    thread.setDaemon(true);
    thread.start();
  }

  void start() {
    proxy.opened(this);
    start("up", this::up);
    start("down", this::down);
  }

  private void up() throws IOException {
    try {
      DataInputStream in = new DataInputStream(client.getInputStream());
      send(server, read(in));
      while (true) {
        byte[] frame = read(in);
        if (!proxy.swallows()) {
          up(frame);
        }
      }
    } finally {
      clientIsGone();
    }
  }

  private synchronized void up(byte[] frame) throws IOException {
    if (!heldUp.isEmpty() || proxy.holdsUp(frame)) {
      heldUp.add(frame);
      return;
    }
    FaultProxy.Trap trap = proxy.trapOf(frame);
    if (trap != null && !trap.delivered()) {
      trap.caught().run();
      close();
      return;
    } else if (trap != null) {
      trapped.put(ByteBuffer.wrap(frame).getInt(0), trap);
    }
    if (proxy.dropsReplyOf(frame)) {
      dropped.add(ByteBuffer.wrap(frame).getInt(0));
    }
    send(server, frame);
  }

  private void down() throws IOException {
    try {
      DataInputStream in = new DataInputStream(server.getInputStream());
      byte[] first = read(in);
      proxy.welcomed(first);
      send(client, first);
      while (true) {
        byte[] frame = read(in);
        FaultProxy.Trap trap = trapped.get(ByteBuffer.wrap(frame).getInt(0));
        if (trap != null) {
          trap.caught().run();
          return;
        } else if (dropped.contains(ByteBuffer.wrap(frame).getInt(0))) {
          return;
        } else if (!proxy.swallows()) {
          down(frame);
        }
      }
    } finally {
      close();
    }
  }

  private synchronized void down(byte[] frame) throws IOException {
    if (!heldDown.isEmpty() || proxy.holdsDown()) {
      heldDown.add(frame);
    } else if (!client.isClosed()) {
      send(client, frame);
    }
  }

  /** Closes the client's side; its requests that wait here are still under way. */
  private synchronized void clientIsGone() throws IOException {
    client.close();
    if (heldUp.isEmpty()) {
      close();
    }
  }

  synchronized int heldCommits() {
    return (int) heldUp.stream().filter(FaultProxy::isCommit).count();
  }

  synchronized void release() {
    try {
      for (byte[] frame : heldUp) {
        send(server, frame);
      }
      for (byte[] frame : heldDown) {
        send(client, frame);
      }
    } catch (IOException e) {
      close();
    }
    heldUp.clear();
    heldDown.clear();
  }

  private static byte[] read(DataInputStream in) throws IOException {
    byte[] frame = new byte[in.readInt()];
    in.readFully(frame);
    return frame;
  }

  private static void send(Socket to, byte[] frame) throws IOException {
    ByteBuffer whole = ByteBuffer.allocate(4 + frame.length).putInt(frame.length).put(frame);
    to.getOutputStream().write(whole.array());
  }

  void close() {
    proxy.closed(this);
    try (client) {
      server.close();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
