package io.callboard.internal.node;

import io.callboard.ActorRef;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.codecs.ActorPath;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;

/** Children of each actor, which end with their parent. Thread-safe. */
final class Parentage {
  private final Map<ActorPath, Set<ActorPath>> byParent = new ConcurrentHashMap<>();
  private final Function<ActorPath, Future<Void>> stop;
  private final Predicate<ActorPath> isHere;

  Parentage(Function<ActorPath, Future<Void>> stop, Predicate<ActorPath> isHere) {
    this.stop = stop;
    this.isHere = isHere;
  }

  /** Starts a child, and forgets it again if that fails. */
  <M> Future<ActorRef<M>> spawn(
      ActorPath parent, String name, Function<ActorPath, Future<ActorRef<M>>> start) {
    ActorPath child = parent.child(name);
    if (!add(parent, child)) {
      return start.apply(child); // which says that its path is taken
    }
    boolean isAnothers = isHere.test(child);
    return start
        .apply(child)
        .onFailure(
            cause -> {
              if (isAnothers || !willRun(cause) || !isHere.test(child)) {
                forget(child);
              }
            });
  }

  /** Adds a child; false if it was there. */
  private boolean add(ActorPath parent, ActorPath child) {
    boolean[] added = {false};
    byParent.compute(
        parent,
        (path, known) -> {
          Set<ActorPath> all = known == null ? ConcurrentHashMap.newKeySet() : known;
          added[0] = all.add(child);
          return all;
        });
    return added[0];
  }

  /** Returns whether a child whose start failed is started again by its supervisor. */
  private static boolean willRun(Throwable cause) {
    return cause instanceof CallboardException ours && ours.code() == Code.START_FAILED;
  }

  /** Returns the parent of the child; empty if no actor started it. */
  Optional<ActorPath> parentOf(ActorPath child) {
    ActorPath parent = byParent.isEmpty() ? null : child.parent();
    Set<ActorPath> children = parent == null ? null : byParent.get(parent);
    return parent != null && children != null && children.contains(child)
        ? Optional.of(parent)
        : Optional.empty();
  }

  /** Removes a child that was stopped. */
  void forget(ActorPath child) {
    ActorPath parent = byParent.isEmpty() ? null : child.parent();
    if (parent != null) {
      byParent.computeIfPresent(
          parent,
          (path, children) -> {
            children.remove(child);
            return children.isEmpty() ? null : children;
          });
    }
  }

  /** Stops the children of an actor that ends; until they have stopped they remain its children. */
  Future<Void> stopAll(ActorPath parent) {
    Set<ActorPath> children = byParent.get(parent);
    if (children == null) {
      return Future.succeededFuture();
    }
    List<Future<Void>> stops = children.stream().map(stop).toList();
    return Future.join(stops)
        .andThen(done -> byParent.remove(parent, children))
        .<Void>mapEmpty()
        .otherwiseEmpty(); // each says itself what failed
  }
}
