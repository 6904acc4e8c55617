package io.callboard.zookeeper;

import io.callboard.testkit.tck.TckCell.Loss;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.jspecify.annotations.Nullable;

/**
 * Stands between a client and its ZooKeeper server, knows their frames, and loses the next multi or
 * its reply, with the connection.
 */
final class CommitProxy implements AutoCloseable {
  private static final int NO_REPLY = Integer.MIN_VALUE;

  private final ServerSocket listener;
  private final int server;
  private final AtomicReference<@Nullable Loss> next = new AtomicReference<>();
  private final Set<Link> links = ConcurrentHashMap.newKeySet();

  CommitProxy(int server) throws IOException {
    this.server = server;
    listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    start("accept", this::accept);
  }

  String connectString() {
    return "127.0.0.1:" + listener.getLocalPort();
  }

  void loseNext(Loss loss) {
    next.set(loss);
  }

  /** Breaks every connection; new ones are accepted. */
  void cut() {
    links.forEach(Link::close);
  }

  private interface Work {
    void run() throws IOException;
  }

  private static void start(String name, Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (IOException e) {
                // the end of a connection is what this class is for
                Thread.currentThread().interrupt();
              }
            },
            "commit-proxy-" + name);
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() throws IOException {
    while (!listener.isClosed()) {
      Socket client = listener.accept();
      Socket upstream = new Socket(InetAddress.getLoopbackAddress(), server);
      client.setTcpNoDelay(true); // as ZooKeeper does: one that waits for an ACK waits 40 ms
      upstream.setTcpNoDelay(true);
      Link link = new Link(client, upstream);
      links.add(link);
      start("up", link::up);
      start("down", link::down);
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    cut();
  }

  private final class Link implements Closeable {
    private final Socket client;
    private final Socket upstream;
    private volatile int lost = NO_REPLY;

    Link(Socket client, Socket upstream) {
      this.client = client;
      this.upstream = upstream;
    }

    void up() throws IOException {
      try (this) {
        DataInputStream in = new DataInputStream(client.getInputStream());
        DataOutputStream out = new DataOutputStream(upstream.getOutputStream());
        copy(in, out);
        while (true) {
          byte[] frame = read(in);
          boolean commit = frame.length >= 8 && ByteBuffer.wrap(frame).getInt(4) == OpCode.multi;
          Loss loss = commit ? next.getAndSet(null) : null;
          if (loss == Loss.REQUEST) {
            return;
          } else if (loss == Loss.REPLY) {
            lost = ByteBuffer.wrap(frame).getInt(0);
          }
          write(out, frame);
        }
      }
    }

    void down() throws IOException {
      try (this) {
        DataInputStream in = new DataInputStream(upstream.getInputStream());
        DataOutputStream out = new DataOutputStream(client.getOutputStream());
        copy(in, out);
        while (true) {
          byte[] frame = read(in);
          if (lost != NO_REPLY && ByteBuffer.wrap(frame).getInt(0) == lost) {
            return;
          }
          write(out, frame);
        }
      }
    }

    private void copy(DataInputStream in, DataOutputStream out) throws IOException {
      write(out, read(in));
    }

    private byte[] read(DataInputStream in) throws IOException {
      byte[] frame = new byte[in.readInt()];
      in.readFully(frame);
      return frame;
    }

    private void write(DataOutputStream out, byte[] frame) throws IOException {
      ByteBuffer whole = ByteBuffer.allocate(4 + frame.length).putInt(frame.length).put(frame);
      out.write(whole.array());
      out.flush();
    }

    @Override
    public void close() {
      links.remove(this);
      try (upstream) {
        client.close();
      } catch (IOException e) {
        throw new java.io.UncheckedIOException(e);
      }
    }
  }
}
