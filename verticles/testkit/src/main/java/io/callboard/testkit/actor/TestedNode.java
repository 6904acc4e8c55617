package io.callboard.testkit.actor;

import static io.callboard.testkit.Futures.await;

import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.CallboardOptions;
import io.callboard.codecs.ActorPath;
import io.callboard.store.Limits;
import io.callboard.store.memory.MemoryCell;
import io.callboard.store.memory.MemoryFaults;
import io.callboard.store.memory.MemoryStore;
import io.callboard.testkit.ManualTime;
import io.callboard.testkit.Stillness;
import io.callboard.zone.ZoneDefaults;
import io.callboard.zone.ZoneOptions;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Node for one tested actor, with a store in memory and a time that stands still. The {@value
 * #MOST} nodes used last stay open, because nobody closes a tested actor.
 */
public final class TestedNode {
  static final int MOST = 8;

  /** Time limit longer than any test advances its time. */
  static final Duration FOR_EVER = Duration.ofDays(9_000);

  private static final Deque<TestedNode> OPEN = new ArrayDeque<>();

  private final ActorPath actor;
  private final boolean second;
  private final ManualTime time = new ManualTime(Instant.EPOCH);
  private final StoredEntries entries;
  private final Vertx vertx;
  private final Callboard callboard;
  private final Stillness stillness;
  private final ActorRef<Object> others;
  private boolean closed;

  /**
   * Creates a node.
   *
   * @param second whether its actor is compared with that of another node
   * @param stored stored data of the actor when the node opens; null for none
   */
  TestedNode(ActorPath actor, boolean second, @Nullable StoredActorState stored) {
    this.actor = actor;
    this.second = second;
    this.entries = new StoredEntries(actor);
    MemoryCell cell =
        new MemoryCell(MemoryCell.DEFAULT_PARTITIONS, Limits.MAILBOX_MESSAGES, time.clock());
    if (stored != null) {
      stored.write(cell, actor);
    }
    MemoryFaults sees =
        commit -> {
          entries.committed(commit);
          return MemoryFaults.Fault.NONE;
        };
    CallboardOptions options =
        new CallboardOptions()
            .name("tested")
            .time(time)
            .sweepEvery(FOR_EVER)
            .zone(ZoneDefaults.DEFAULT, ZoneOptions.eventLoop())
            .zone(ZoneDefaults.TOOLKIT, ZoneOptions.eventLoop())
            .zone(ZoneDefaults.BLOCKING, ZoneOptions.fixed(1))
            .store(() -> new MemoryStore(cell, Runnable::run, sees));
    this.vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1).setUseDaemonThread(true));
    this.callboard = await(Callboard.create(vertx, options));
    this.stillness = Stillness.of(callboard);
    time.stillness(stillness);
    this.others =
        await(
            callboard.spawn(
                "/callboard-testkit-others",
                StandIn::new,
                new ActorOptions().onBus(false).mailboxLimit(1_000_000)));
    use();
  }

  /** Marks the node as used; others that were not used for longer may be closed. */
  void use() {
    TestedNode oldest;
    synchronized (OPEN) {
      if (closed) {
        throw new IllegalStateException(
            "%s is no longer running: %d other tested actors were used since, and no more are kept"
                .formatted(actor, MOST));
      }
      boolean unused = OPEN.remove(this);
      OPEN.addLast(this);
      if (OPEN.size() <= MOST) {
        return;
      }
      oldest = OPEN.removeFirst();
      oldest.closed = true;
    }
    var unused = oldest.vertx.close();
  }

  /** Closes the node before others are used. */
  void close() {
    synchronized (OPEN) {
      closed = true;
      boolean unused = OPEN.remove(this);
    }
    var unused = vertx.close();
  }

  ActorPath actor() {
    return actor;
  }

  boolean isSecond() {
    return second;
  }

  ManualTime time() {
    return time;
  }

  Callboard callboard() {
    return callboard;
  }

  /** Returns the receiver of messages to volatile actors. */
  ActorRef<Object> others() {
    return others;
  }

  /** Returns the actor's journal, as written by its commits. */
  StoredEntries entries() {
    return entries;
  }

  /** Waits until the node has come to rest. */
  void rest() {
    stillness.await();
  }
}
