package io.callboard.internal.activation;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Partition;
import io.callboard.internal.context.NodeContext;
import io.callboard.internal.durable.DurableRunner;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Durable actors in the memory of this node, and those whose last life is still ending. Used on the
 * durable context; {@link #get} and {@link #all} from any thread.
 */
final class ActiveActors {
  private final NodeContext node;
  private final Map<ActorPath, Entry> entries = new ConcurrentHashMap<>();
  private final Map<ActorPath, Future<Void>> leaving = new HashMap<>();
  private Consumer<ActorPath> listener = path -> {};

  /**
   * @param protocol the actor's protocol
   * @param hosted the declaration that started it; null if it was spawned by name
   */
  record Entry(
      DurableRunner runner,
      Class<?> protocol,
      @Nullable HostDeclaration hosted,
      Partition partition) {
    ActorPath path() {
      return runner.path();
    }

    boolean isOwned() {
      return runner.isOwned();
    }
  }

  ActiveActors(NodeContext node) {
    this.node = node;
  }

  /** Calls a listener with the path of each actor that is added from now on. */
  void onEnter(Consumer<ActorPath> entering) {
    listener = entering;
  }

  @Nullable Entry get(ActorPath path) {
    return entries.get(path);
  }

  List<Entry> all() {
    return List.copyOf(entries.values());
  }

  List<Entry> within(Partition partition) {
    return entries.values().stream().filter(e -> e.partition().equals(partition)).toList();
  }

  /** Adds an actor; false if there is one of that path. */
  boolean add(Entry entry) {
    boolean added = entries.putIfAbsent(entry.path(), entry) == null;
    if (added) {
      listener.accept(entry.path());
      entry.runner().enters();
    }
    return added;
  }

  void put(Entry entry) {
    listener.accept(entry.path());
    entry.runner().enters();
    Entry before = entries.put(entry.path(), entry);
    if (before != null) {
      before.runner().leaves();
    }
  }

  void remove(Entry entry) {
    if (entries.remove(entry.path(), entry)) {
      entry.runner().leaves();
    }
  }

  @Nullable Entry remove(ActorPath path) {
    Entry removed = entries.remove(path);
    if (removed != null) {
      removed.runner().leaves();
    }
    return removed;
  }

  /** Disowns an actor: a hosted one leaves memory, a spawned one waits to be owned again. */
  void disown(Entry entry) {
    Future<Void> gone = entry.runner().disown();
    if (entry.hosted() != null) {
      remove(entry);
      entry.runner().leaveSupervisor();
      leaves(entry.path(), gone);
    }
  }

  /** Registers a life, or start, that is still ending: no other at that path begins before. */
  @CanIgnoreReturnValue
  Future<Void> leaves(ActorPath path, Future<Void> gone) {
    if (!gone.isComplete()) {
      leaving.put(path, gone);
      gone.onComplete(done -> node.onDurableContext(() -> leaving.remove(path, gone)));
    }
    return gone;
  }

  /** Completes when nothing is left of an actor that is no longer here. */
  Future<Void> left(ActorPath path) {
    return leaving.getOrDefault(path, Future.succeededFuture());
  }

  /** Stops all actors; completes when nothing is left of any. */
  Future<Void> stop() {
    List<Future<Void>> stops = new ArrayList<>(leaving.values());
    entries.values().forEach(entry -> stops.add(entry.runner().stop()));
    return Future.join(stops).mapEmpty();
  }
}
