package io.callboard.zookeeper.faults;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.jspecify.annotations.Nullable;

/** A network between a client and its ZooKeeper server that can be made to fail. */
final class FaultProxy implements AutoCloseable {
  private final ServerSocket listener;
  private final int server;
  private final Set<ProxyLink> links = ConcurrentHashMap.newKeySet();
  private final AtomicInteger repliesToDrop = new AtomicInteger();
  private volatile boolean stallUp;
  private volatile boolean stallDown;
  private volatile boolean hole;
  private volatile boolean holdCommits;
  private volatile boolean refuse;
  private volatile @Nullable Login login;
  private final AtomicReference<@Nullable Trap> trap = new AtomicReference<>();

  /** Credentials with which a session can be taken over. */
  @SuppressWarnings("ArrayRecordComponent")
  record Login(long session, byte[] password) {}

  /**
   * Catches one request.
   *
   * @param marker the multi that holds these bytes
   * @param delivered whether it reaches the server; then it is its reply that is caught
   * @param caught runs before anything else passes on that connection, which ends then
   */
  @SuppressWarnings("ArrayRecordComponent")
  record Trap(byte[] marker, boolean delivered, Runnable caught) {
    private boolean catches(byte[] frame) {
      return isCommit(frame)
          && new String(frame, ISO_8859_1).contains(new String(marker, ISO_8859_1));
    }
  }

  FaultProxy(int server) throws IOException {
    this.server = server;
    listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    ProxyLink.start("accept", this::accept);
  }

  String connectString() {
    return "127.0.0.1:" + listener.getLocalPort();
  }

  private void accept() throws IOException {
    while (!listener.isClosed()) {
      Socket client = listener.accept();
      try {
        if (refuse) {
          client.close();
        } else {
          new ProxyLink(this, client, new Socket(InetAddress.getLoopbackAddress(), server)).start();
        }
      } catch (IOException serverIsDown) {
        client.close();
      }
    }
  }

  // What the links ask.

  void opened(ProxyLink link) {
    links.add(link);
  }

  void closed(ProxyLink link) {
    links.remove(link);
  }

  boolean swallows() {
    return hole;
  }

  boolean holdsUp(byte[] frame) {
    return stallUp || (holdCommits && isCommit(frame));
  }

  boolean holdsDown() {
    return stallDown;
  }

  /** Returns whether the reply to this request is to be lost. */
  boolean dropsReplyOf(byte[] frame) {
    return isCommit(frame) && repliesToDrop.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
  }

  /** Returns the trap that this request has run into; null if none. */
  @Nullable Trap trapOf(byte[] frame) {
    Trap set = trap.get();
    return set != null && set.catches(frame) && trap.compareAndSet(set, null) ? set : null;
  }

  static boolean isCommit(byte[] frame) {
    return frame.length >= 8 && ByteBuffer.wrap(frame).getInt(4) == OpCode.multi;
  }

  /** The first frame that a server sends: {@code protocol, timeout, session, password}. */
  void welcomed(byte[] frame) {
    ByteBuffer reply = ByteBuffer.wrap(frame);
    long session = reply.getLong(8);
    byte[] password = new byte[reply.getInt(16)];
    reply.position(20).get(password);
    if (session != 0) {
      login = new Login(session, password);
    }
  }

  // What a test does.

  /** Returns the credentials of the client that connected last; null if none did. */
  @Nullable Login login() {
    return login;
  }

  /** Breaks every connection; new ones are accepted. */
  void cut() {
    links.forEach(ProxyLink::close);
  }

  /** Delays everything that is sent in one direction until {@link #heal}. */
  void stall(boolean up) {
    if (up) {
      stallUp = true;
    } else {
      stallDown = true;
    }
  }

  /** Drops everything that is sent, both ways, until {@link #heal}. */
  void blackHole() {
    hole = true;
  }

  /** The next multi is applied, its reply is lost, and the connection with it. */
  void dropReply() {
    repliesToDrop.incrementAndGet();
  }

  /** Sets a trap for the next request that it catches. */
  void trap(Trap next) {
    trap.set(next);
  }

  /** The next multi and all after it wait on their connection, even when the client gives it up. */
  void holdCommits() {
    holdCommits = true;
  }

  /** Refuses all connections until {@link #heal}. */
  void refuse() {
    refuse = true;
  }

  /** Returns the number of multis that wait. */
  int heldCommits() {
    return links.stream().mapToInt(ProxyLink::heldCommits).sum();
  }

  /** Delivers what waits. */
  void release() {
    holdCommits = false;
    stallUp = false;
    stallDown = false;
    links.forEach(ProxyLink::release);
  }

  /** Everything works again. */
  void heal() {
    boolean broken = hole;
    repliesToDrop.set(0);
    refuse = false;
    hole = false;
    if (broken) {
      cut();
    }
    release();
  }

  @Override
  public void close() throws IOException {
    listener.close();
    cut();
  }
}
