package io.callboard.internal.lifecycle;

import io.callboard.ActorRef;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.codecs.ActorPath;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Children of each actor, which end with their parent. Thread-safe. */
public final class Parentage {
  private final Map<ActorPath, Map<ActorPath, Birth>> byParent = new ConcurrentHashMap<>();

  private final Function<ActorPath, Future<Void>> stop;
  private final Function<ActorPath, @Nullable Object> here;

  /** Birth of a child, which tells it from a later child of its name. */
  private static final class Birth {
    boolean isAdded;
  }

  /**
   * Creates the record of a node.
   *
   * @param stop stops the actor of a path
   * @param here gives the actor that the node has at a path; null if there is none
   */
  public Parentage(
      Function<ActorPath, Future<Void>> stop, Function<ActorPath, @Nullable Object> here) {
    this.stop = stop;
    this.here = here;
  }

  /**
   * Starts a child, and forgets it again if that fails. Refuses it once the life of its parent is
   * over: nobody would stop it.
   *
   * @param isOver whether the life of the parent that wants the child is over; true for good, from
   *     before {@link #stopAll} on
   * @param start starts it; if that life ends before the node has the child, refuses it, too
   */
  public <M> Future<ActorRef<M>> spawn(
      ActorPath parent,
      BooleanSupplier isOver,
      String name,
      Function<ActorPath, Future<ActorRef<M>>> start) {
    ActorPath child = parent.child(name);
    Birth birth = new Birth();
    add(parent, isOver, child, birth);
    if (!birth.isAdded) {
      return isOver.getAsBoolean()
          ? Future.failedFuture(CallboardException.stopped("actor " + parent))
          : start.apply(child); // which says that its path is taken
    }
    Object before = here.apply(child); // of another, or a child that is leaving
    return start
        .apply(child)
        .onFailure(
            cause -> {
              Object now = here.apply(child);
              if (now == null || now == before || isTaken(cause)) {
                forget(child, birth); // another one may have its name by now
              }
            });
  }

  /**
   * Adds a child, unless the life of its parent is over or there is one of that name. The look at
   * the life and the addition are one step: {@link #stopAll} sees the child, or this the end.
   */
  private void add(ActorPath parent, BooleanSupplier isOver, ActorPath child, Birth birth) {
    byParent.compute(
        parent,
        (path, known) -> {
          if (isOver.getAsBoolean()) {
            return known;
          }
          Map<ActorPath, Birth> all = known == null ? new ConcurrentHashMap<>() : known;
          birth.isAdded = all.putIfAbsent(child, birth) == null;
          return all;
        });
  }

  /** Returns whether a start failed because another actor has the path. */
  private static boolean isTaken(Throwable cause) {
    return cause instanceof CallboardException ours && ours.code() == Code.PATH_TAKEN;
  }

  /** Returns the parent of the child; empty if no actor started it. */
  public Optional<ActorPath> parentOf(ActorPath child) {
    ActorPath parent = byParent.isEmpty() ? null : child.parent();
    Map<ActorPath, Birth> children = parent == null ? null : byParent.get(parent);
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
  private void forget(ActorPath child, @Nullable Birth birth) {
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

  /**
   * Stops the children of an actor whose life is over; until they have stopped they remain its
   * children. Those of its next life are none of them.
   */
  public Future<Void> stopAll(ActorPath parent) {
    Map<ActorPath, Birth> births = births(parent);
    if (births.isEmpty()) {
      return Future.succeededFuture();
    }
    List<Future<Void>> stops = births.keySet().stream().map(stop).toList();
    return Future.join(stops)
        .andThen(done -> births.forEach(this::forget))
        .<Void>mapEmpty()
        .otherwiseEmpty(); // each says itself what failed
  }

  /** Returns the children of an actor, in one step. */
  private Map<ActorPath, Birth> births(ActorPath parent) {
    Map<ActorPath, Birth> births = new HashMap<>();
    byParent.compute(
        parent,
        (path, known) -> {
          if (known != null) {
            births.putAll(known);
          }
          return known;
        });
    return births;
  }
}
