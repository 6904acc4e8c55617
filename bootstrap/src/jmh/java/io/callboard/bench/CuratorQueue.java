package io.callboard.bench;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.queue.DistributedQueue;
import org.apache.curator.framework.recipes.queue.QueueBuilder;
import org.apache.curator.framework.recipes.queue.QueueConsumer;
import org.apache.curator.framework.recipes.queue.QueueSerializer;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.retry.ExponentialBackoffRetry;

/**
 * A peer: Curator's {@code DistributedQueue}, put by one client and taken by another. With a lock
 * path at least once, without at most once; a durable mailbox is exactly once.
 */
final class CuratorQueue implements Load {
  private static final int SESSION_MS = 30_000;
  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** Messages put and not taken. The recipe lists them all each time: more make it slower. */
  private static final int WINDOW = 100;

  private static final AtomicInteger PATHS = new AtomicInteger();

  private final String connectString;
  private final boolean locked;
  private final byte[] message;
  private final Semaphore room = new Semaphore(WINDOW);
  private final AtomicLong taken = new AtomicLong();
  private final AtomicLong put = new AtomicLong();
  private volatile boolean running;
  private Session session;

  private record Session(
      String path,
      CuratorFramework putter,
      CuratorFramework taker,
      DistributedQueue<byte[]> in,
      DistributedQueue<byte[]> out,
      Thread thread) {}

  CuratorQueue(String connectString, boolean locked, int bytes) {
    this.connectString = connectString;
    this.locked = locked;
    this.message = new byte[bytes];
  }

  @Override
  public void start() throws Exception {
    String path = "/bench-curator-" + PATHS.incrementAndGet();
    CuratorFramework putter = client();
    CuratorFramework taker = client();
    Thread thread = new Thread(this::produce, "curator-producer");
    thread.setDaemon(true);
    session =
        new Session(
            path,
            putter,
            taker,
            queue(putter, path, null),
            queue(taker, path, new Taker()),
            thread);
    running = true;
    thread.start();
  }

  private CuratorFramework client() {
    CuratorFramework client =
        CuratorFrameworkFactory.newClient(
            connectString, SESSION_MS, SESSION_MS, new ExponentialBackoffRetry(100, 3));
    client.start();
    return client;
  }

  private DistributedQueue<byte[]> queue(
      CuratorFramework client, String path, QueueConsumer<byte[]> consumer) throws Exception {
    QueueBuilder<byte[]> builder = QueueBuilder.builder(client, consumer, new Bytes(), path);
    if (locked) {
      builder = builder.lockPath(path + "-locks");
    }
    DistributedQueue<byte[]> queue = builder.buildQueue();
    queue.start();
    return queue;
  }

  private void produce() {
    try {
      while (running) {
        room.acquire();
        put.incrementAndGet();
        session.in().put(message);
      }
    } catch (Exception e) {
      Progress.say("the producer of Curator's queue ended: " + e);
    }
  }

  private final class Taker implements QueueConsumer<byte[]> {
    @Override
    public void consumeMessage(byte[] bytes) {
      taken.incrementAndGet();
      room.release();
    }

    @Override
    public void stateChanged(CuratorFramework client, ConnectionState state) {}
  }

  private static final class Bytes implements QueueSerializer<byte[]> {
    @Override
    public byte[] serialize(byte[] item) {
      return item;
    }

    @Override
    public byte[] deserialize(byte[] bytes) {
      return bytes;
    }
  }

  @Override
  public long done() {
    return taken.get();
  }

  /** Returns whether the queue is empty; a message is deleted after it was taken. */
  private static boolean empty(Session session) {
    try {
      return session.putter().getChildren().forPath(session.path()).isEmpty();
    } catch (Exception e) {
      throw new IllegalStateException("Curator's queue cannot be looked at", e);
    }
  }

  @Override
  public void stop() throws Exception {
    Session last = session;
    running = false;
    last.thread().join(LIMIT.toMillis());
    if (!last.in().flushPuts(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
      throw new TimeoutException("Curator's queue did not put all messages");
    }
    // with the lock some are taken twice: at least once is what it promises
    Load.await("Curator's queue empty", LIMIT, () -> taken.get() >= put.get() && empty(last));
    last.in().close();
    last.out().close();
    last.putter().close();
    last.taker().close();
  }
}
