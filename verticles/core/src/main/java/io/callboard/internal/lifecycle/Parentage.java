package io.callboard.internal.lifecycle;

import io.callboard.ActorRef;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.codecs.ActorPath;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Children of each actor, which end with their parent. Thread-safe. */
public final class Parentage {
  /** Children by their parents, each with what tells it from a later child of its name. */
  private final Map<ActorPath, Map<ActorPath, Object>> byParent = new ConcurrentHashMap<>();

  private final Function<ActorPath, Future<Void>> stop;
  private final Predicate<ActorPath> isHere;

  /**
   * Creates the record of a node.
   *
   * @param stop stops the actor of a path
   * @param isHere whether the node has an actor of that path
   */
  public Parentage(Function<ActorPath, Future<Void>> stop, Predicate<ActorPath> isHere) {
    this.stop = stop;
    this.isHere = isHere;
  }

  /** Starts a child, and forgets it again if that fails. */
  public <M> Future<ActorRef<M>> spawn(
      ActorPath parent, String name, Function<ActorPath, Future<ActorRef<M>>> start) {
    ActorPath child = parent.child(name);
    Object birth = new Object();
    if (!add(parent, child, birth)) {
      return start.apply(child); // which says that its path is taken
    }
    boolean isAnothers = isHere.test(child);
    return start
        .apply(child)
        .onFailure(
            cause -> {
              if (isAnothers || !willRun(cause) || !isHere.test(child)) {
                forget(child, birth); // another one may have its name by now
              }
            });
  }

  /** Adds a child; false if there is one of that name. */
  private boolean add(ActorPath parent, ActorPath child, Object birth) {
    Map<ActorPath, Object> children =
        byParent.compute(
            parent,
            (path, known) -> {
              Map<ActorPath, Object> all = known == null ? new ConcurrentHashMap<>() : known;
              all.putIfAbsent(child, birth);
              return all;
            });
    return children.get(child) == birth;
  }

  /** Returns whether a child whose start failed is started again by its supervisor. */
  private static boolean willRun(Throwable cause) {
    return cause instanceof CallboardException ours && ours.code() == Code.START_FAILED;
  }

  /** Returns the parent of the child; empty if no actor started it. */
  public Optional<ActorPath> parentOf(ActorPath child) {
    ActorPath parent = byParent.isEmpty() ? null : child.parent();
    Map<ActorPath, Object> children = parent == null ? null : byParent.get(parent);
    return parent != null && children != null && children.containsKey(child)
        ? Optional.of(parent)
        : Optional.empty();
  }

  /** Removes a child that was stopped. */
  public void forget(ActorPath child) {
    forget(child, null);
  }

  /**
   * @param birth of the child; null for whichever has that path
   */
  private void forget(ActorPath child, @Nullable Object birth) {
    ActorPath parent = byParent.isEmpty() ? null : child.parent();
    if (parent != null) {
      byParent.computeIfPresent(
          parent,
          (path, children) -> {
            children.computeIfPresent(
                child, (name, of) -> birth == null || birth == of ? null : of);
            return children.isEmpty() ? null : children;
          });
    }
  }

  /** Stops the children of an actor that ends; until they have stopped they remain its children. */
  public Future<Void> stopAll(ActorPath parent) {
    Map<ActorPath, Object> children = byParent.get(parent);
    if (children == null) {
      return Future.succeededFuture();
    }
    List<Future<Void>> stops = children.keySet().stream().map(stop).toList();
    return Future.join(stops)
        .andThen(done -> byParent.remove(parent, children))
        .<Void>mapEmpty()
        .otherwiseEmpty(); // each says itself what failed
  }
}
