package io.callboard.dashboard.internal.model;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.Callboard;
import io.callboard.admin.StatusJson;
import io.callboard.admin.SupervisionTree;
import io.callboard.codecs.ActorPath;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Failure zones of this node as JSON, and the tree that they form with their actors. */
public final class SupervisionRows {
  private final Callboard callboard;
  private final ActorRows actors;

  /** Creates the reader. */
  public SupervisionRows(Callboard callboard, ActorRows actors) {
    this.callboard = callboard;
    this.actors = actors;
  }

  /**
   * Returns the zones in the order of their paths.
   *
   * @param prefix path at or below which they are; null for all
   * @param state name of their state; null for any
   */
  public List<ObjectNode> zones(@Nullable ActorPath prefix, @Nullable String state) {
    return callboard.admin().failureZones().stream()
        .filter(zone -> prefix == null || zone.path().isWithin(prefix))
        .filter(zone -> state == null || zone.state().name().equals(state))
        .map(StatusJson::of)
        .toList();
  }

  /** Returns one zone; empty if there is none at that path. */
  public Optional<ObjectNode> zone(ActorPath path) {
    return callboard.admin().failureZones().stream()
        .filter(zone -> zone.path().equals(path))
        .findFirst()
        .map(StatusJson::of);
  }

  /**
   * Returns a zone or else an actor, with its failures; empty if there is neither. Fails if the
   * actor's record is damaged.
   */
  public Future<Optional<ObjectNode>> one(ActorPath path) {
    Optional<ObjectNode> zone = zone(path);
    return zone.isEmpty() ? actors.one(path) : withHistory(path, zone.get());
  }

  private Future<Optional<ObjectNode>> withHistory(ActorPath path, ObjectNode row) {
    return callboard
        .admin()
        .failures(path.toString())
        .map(failures -> Optional.of(StatusJson.putHistory(row, failures)));
  }

  /** Completes with {@link SupervisionTree#rows} of this node as it is now. */
  public Future<Map<String, ObjectNode>> tree(List<String> open, int most) {
    return callboard
        .admin()
        .running()
        .map(
            running ->
                new SupervisionTree(running, callboard.admin().failureZones(), actors::row)
                    .rows(open, most));
  }

  /** Returns whether a name is that of a part of the tree that is not a failure zone. */
  public static boolean isPlace(String name) {
    return name.equals(SupervisionTree.ROOT) || name.equals(SupervisionTree.SYSTEM);
  }
}
