package io.callboard.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;

/** Peers on the plain ZooKeeper client: what the server alone allows. */
final class RawZooKeeper implements AutoCloseable {
  private static final int SESSION_MS = 30_000;
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int DELETES = 100;
  private static final AtomicInteger ROOTS = new AtomicInteger();

  private final ZooKeeper client;
  private final String root = "/bench-raw-" + ROOTS.incrementAndGet();

  private RawZooKeeper(ZooKeeper client) {
    this.client = client;
  }

  static RawZooKeeper connect(String connectString) throws Exception {
    CountDownLatch connected = new CountDownLatch(1);
    ZooKeeper client =
        new ZooKeeper(
            connectString,
            SESSION_MS,
            event -> {
              if (event.getState() == KeeperState.SyncConnected) {
                connected.countDown();
              }
            });
    RawZooKeeper raw = new RawZooKeeper(client);
    if (!connected.await(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
      raw.close();
      throw new TimeoutException(connectString + " cannot be reached");
    }
    raw.create(raw.root, new byte[0], CreateMode.PERSISTENT);
    return raw;
  }

  private String create(String path, byte[] data, CreateMode mode) throws Exception {
    return client.create(path, data, ZooDefs.Ids.OPEN_ACL_UNSAFE, mode);
  }

  /**
   * Messages as znodes, created and deleted by pipelined single operations. At most once, in no
   * order, by one process: less than a mailbox promises.
   *
   * @param packed messages in one znode
   * @param window znodes under way
   */
  Load createAndDelete(int bytes, int packed, int window) {
    return new CreateAndDelete(new byte[bytes * packed], packed, window);
  }

  private final class CreateAndDelete implements Load {
    private final byte[] data;
    private final int packed;
    private final int window;
    private final Semaphore room;
    private final AtomicLong done = new AtomicLong();
    private final AtomicInteger failed = new AtomicInteger();
    private volatile boolean running;

    CreateAndDelete(byte[] data, int packed, int window) {
      this.data = data;
      this.packed = packed;
      this.window = window;
      this.room = new Semaphore(window);
    }

    @Override
    public void start() {
      running = true;
      Thread producer = new Thread(this::produce, "raw-producer");
      producer.setDaemon(true);
      producer.start();
    }

    private void produce() {
      while (running) {
        room.acquireUninterruptibly();
        client.create(
            root + "/m",
            data,
            ZooDefs.Ids.OPEN_ACL_UNSAFE,
            CreateMode.PERSISTENT_SEQUENTIAL,
            (code, path, context, name) -> created(code, name),
            null);
      }
    }

    private void created(int code, String name) {
      if (code != Code.OK.intValue()) {
        ended(code);
        return;
      }
      client.delete(name, -1, (deleted, path, context) -> ended(deleted), null);
    }

    private void ended(int code) {
      if (code == Code.OK.intValue()) {
        done.addAndGet(packed);
      } else {
        failed.incrementAndGet();
      }
      room.release();
    }

    @Override
    public long done() {
      return done.get();
    }

    @Override
    public void stop() throws Exception {
      running = false;
      Load.await("every znode deleted", LIMIT, () -> room.availablePermits() == window);
      if (failed.get() > 0) {
        throw new IllegalStateException(failed + " operations of the raw peer failed");
      }
    }
  }

  /** Creates, each after the answer to the last; all are deleted at the end. */
  Latencies creates(int bytes, Duration window) throws Exception {
    byte[] data = new byte[bytes];
    Latencies latencies = new Latencies();
    List<String> names = new ArrayList<>();
    long end = System.nanoTime() + window.toNanos();
    while (System.nanoTime() < end) {
      long begun = System.nanoTime();
      names.add(create(root + "/c", data, CreateMode.PERSISTENT_SEQUENTIAL));
      latencies.add(System.nanoTime() - begun);
    }
    for (int i = 0; i < names.size(); i += DELETES) {
      var unused =
          client.multi(
              names.subList(i, Math.min(names.size(), i + DELETES)).stream()
                  .map(name -> Op.delete(name, -1))
                  .toList());
    }
    return latencies;
  }

  /** Multis of a turn's shape, each after the answer to the last. */
  Turns turns(int bytes) throws Exception {
    return new Turns(bytes);
  }

  /**
   * The operations that one durable turn needs, without the turn: fences, the record, a segment
   * consumed, a segment sent.
   */
  final class Turns {
    private final byte[] data;
    private final String base;
    private String segment;

    private Turns(int bytes) throws Exception {
      data = new byte[bytes];
      base = create(root + "/turns-", new byte[0], CreateMode.PERSISTENT_SEQUENTIAL);
      for (String name : List.of("incarnation", "commits", "lease", "record", "mailbox")) {
        var unused = create(base + "/" + name, data, CreateMode.PERSISTENT);
      }
      segment = create(base + "/mailbox/s", data, CreateMode.PERSISTENT_SEQUENTIAL);
    }

    /** An actor's turn that sends itself the next message: one multi. */
    void toItself() throws KeeperException, InterruptedException {
      sent(
          client.multi(
              List.of(
                  Op.check(base + "/incarnation", 0),
                  Op.setData(base + "/commits", data, -1),
                  Op.check(base + "/lease", 0),
                  Op.setData(base + "/record", data, -1),
                  Op.delete(segment, -1),
                  Op.check(base + "/mailbox", 0),
                  append())));
    }

    /** A message from outside, then its turn: two multis. */
    void asked() throws KeeperException, InterruptedException {
      told();
      turned();
    }

    /**
     * Performs such pairs one after the other; returns the latencies of the first multi and of
     * both.
     */
    Latencies[] asked(Duration window) throws KeeperException, InterruptedException {
      Latencies untilTold = new Latencies();
      Latencies untilTurned = new Latencies();
      long end = System.nanoTime() + window.toNanos();
      while (System.nanoTime() < end) {
        long begun = System.nanoTime();
        told();
        untilTold.add(System.nanoTime() - begun);
        turned();
        untilTurned.add(System.nanoTime() - begun);
      }
      return new Latencies[] {untilTold, untilTurned};
    }

    private void told() throws KeeperException, InterruptedException {
      sent(
          client.multi(
              List.of(
                  Op.check(base + "/incarnation", 0),
                  Op.setData(base + "/commits", data, -1),
                  Op.check(base + "/mailbox", 0),
                  append())));
    }

    private void turned() throws KeeperException, InterruptedException {
      var unused =
          client.multi(
              List.of(
                  Op.check(base + "/incarnation", 0),
                  Op.setData(base + "/commits", data, -1),
                  Op.check(base + "/lease", 0),
                  Op.setData(base + "/record", data, -1),
                  Op.delete(segment, -1)));
    }

    private Op append() {
      return Op.create(
          base + "/mailbox/s", data, ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT_SEQUENTIAL);
    }

    private void sent(List<OpResult> results) {
      segment = ((OpResult.CreateResult) results.get(results.size() - 1)).getPath();
    }
  }

  @Override
  public void close() {
    try {
      client.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
