package io.callboard.internal.messaging;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.cell.CellListener;
import io.callboard.codecs.ActorPath;
import io.callboard.internal.context.NodeContext;
import io.callboard.internal.mailbox.Reply;
import io.callboard.supervision.Causes;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Watch for the end of volatile actors, here and on other nodes.
 *
 * <p>Between nodes a watch is an ask of type {@value RemoteMessaging#WATCH}, which is answered when
 * the actor ends. Whenever the members of the cell change, and from time to time, every watch of
 * another node's actor is sent again, under its number: so a watch of an actor whose node is gone
 * finds no actor, and one that is registered already changes nothing. Thread-safe.
 */
public final class DeathWatch implements CellListener {
  /** The type of the ask; no protocol has a name with two dots in a row. */
  private static final long AGAIN_MILLIS = 5_000;

  /** Time in nanoseconds for which a watch from another node is kept without being sent again. */
  private static final long KEPT_NANOS = 6 * AGAIN_MILLIS * 1_000_000;

  private final NodeContext node;
  private final PendingAsks asks;
  private final RemoteMessaging remoteMessaging;
  private final LocalActor.Finder actors;
  private final Map<LocalActor, Set<Watcher>> watchers = new ConcurrentHashMap<>();
  private final Set<Remote> remote = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean repeating = new AtomicBoolean();
  private final AtomicLong sweptNanos;

  public DeathWatch(
      NodeContext node,
      PendingAsks asks,
      RemoteMessaging remoteMessaging,
      LocalActor.Finder actors) {
    this.node = node;
    this.asks = asks;
    this.remoteMessaging = remoteMessaging;
    this.actors = actors;
    this.sweptNanos = new AtomicLong(node.nanoTime());
  }

  /** Receiver of an end; equal to another if both are the same watch. */
  private interface Watcher {
    void ended(Termination end);
  }

  /** Watch from another node, and the time when it was last sent. */
  private record OtherNode(String boot, long number, Reply reply, long seenNanos)
      implements Watcher {
    @Override
    public void ended(Termination end) {
      reply.succeed(end);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof OtherNode same && same.number == number && same.boot.equals(boot);
    }

    @Override
    public int hashCode() {
      return Long.hashCode(number);
    }
  }

  /**
   * Watches an actor, here or on another node.
   *
   * @param ended called once, on any thread
   * @return ends the watch
   */
  public Runnable watch(ActorRefImpl<?> actor, Consumer<Termination> ended) {
    LocalActor here = actor.here();
    if (here == null) {
      Remote watch = new Remote(actor.path(), ended);
      remote.add(watch);
      watch.send();
      repeat();
      return watch::cancel;
    }
    Watcher watcher = ended::accept;
    add(here, watcher);
    endedAlready(here);
    return () -> remove(here, watcher);
  }

  /** Reports the end of an actor that may have ended before it was watched. */
  private void endedAlready(LocalActor actor) {
    Termination end = actor.howEnded();
    if (end != null) {
      ended(actor, () -> end);
    }
  }

  private void add(LocalActor actor, Watcher watcher) {
    watchers.compute(
        actor,
        (runner, known) -> {
          Set<Watcher> all = known == null ? ConcurrentHashMap.newKeySet() : known;
          all.add(watcher);
          return all;
        });
  }

  private void remove(LocalActor actor, Watcher watcher) {
    watchers.computeIfPresent(
        actor,
        (runner, known) -> {
          known.remove(watcher);
          return known.isEmpty() ? null : known;
        });
  }

  /**
   * Registers a watch from another node on an actor of this one.
   *
   * @return why the actor cannot be watched; null if it is
   */
  @Nullable CallboardException watched(ActorPath actor, String boot, long number, Reply reply) {
    LocalActor here = actors.find(actor);
    if (here == null) {
      return CallboardException.noSuchActor(actor);
    }
    sweep();
    Watcher watcher = new OtherNode(boot, number, reply, node.nanoTime());
    remove(here, watcher);
    add(here, watcher);
    endedAlready(here);
    return null;
  }

  /** Reports the end of an actor of this node; another one may be at its path already. */
  public void ended(LocalActor actor, Supplier<Termination> how) {
    Set<Watcher> reported = watchers.remove(actor);
    if (reported != null) {
      Termination end = how.get();
      reported.forEach(watcher -> watcher.ended(end));
    }
  }

  @Override
  public void membersChanged() {
    remote.forEach(Remote::send);
  }

  /**
   * Forgets the watches from other nodes that were not sent again: they, or their nodes, have
   * ended.
   */
  private void sweep() {
    long now = node.nanoTime();
    long last = sweptNanos.get();
    if (now - last < KEPT_NANOS || !sweptNanos.compareAndSet(last, now)) {
      return;
    }
    for (LocalActor actor : new HashSet<>(watchers.keySet())) {
      watchers.computeIfPresent(
          actor,
          (runner, known) -> {
            known.removeIf(
                watcher ->
                    watcher instanceof OtherNode other && now - other.seenNanos() > KEPT_NANOS);
            return known.isEmpty() ? null : known;
          });
    }
  }

  private void repeat() {
    if (!remote.isEmpty() && repeating.compareAndSet(false, true)) {
      var unused =
          node.after(
              Duration.ofMillis(AGAIN_MILLIS),
              () -> {
                repeating.set(false);
                remote.forEach(Remote::send);
                repeat();
              });
    }
  }

  /** Watch of an actor on another node. */
  private final class Remote {
    private final ActorPath actor;
    private final PendingAsks.Ask<Object> end;
    private volatile boolean wasThere;

    Remote(ActorPath actor, Consumer<Termination> ended) {
      this.actor = actor;
      this.end = asks.openAlways(actor);
      end.answer()
          .onComplete(
              done -> {
                remote.remove(this);
                if (!(done.cause() instanceof Cancelled)) {
                  ended.accept(end(done.result(), done.cause()));
                }
              });
    }

    private Termination end(Object answer, Throwable failure) {
      Instant now = node.clock().instant();
      if (failure != null) {
        String reason = Causes.message(failure);
        return wasThere ? Termination.nodeLost(reason, now) : new Termination(reason, null);
      }
      return answer instanceof JsonNode json
          ? Termination.read(actor, json, now)
          : new Termination("it ended", null);
    }

    void send() {
      if (!end.isOver()) {
        remoteMessaging
            .watch(actor, end.number())
            .onSuccess(v -> wasThere = true)
            .onFailure(this::refused);
      }
    }

    /** Takes only "no such actor" for an end; any other failure is tried again. */
    private void refused(Throwable cause) {
      boolean isEnd =
          cause instanceof CallboardException ours
              && (ours.code() == Code.NO_SUCH_ACTOR || ours.code() == Code.BAD_MESSAGE);
      if (isEnd) {
        end.fail(cause);
      }
    }

    void cancel() {
      end.fail(new Cancelled());
    }
  }

  /** Cause that ends a watch its watcher no longer wants. */
  private static final class Cancelled extends RuntimeException {
    private static final long serialVersionUID = 1;

    Cancelled() {
      super("the watch was ended", null, false, false);
    }
  }
}
