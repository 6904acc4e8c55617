package io.callboard.dashboard.model;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.Callboard;
import io.callboard.admin.FailureZoneStatus;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Json;
import io.callboard.supervision.RestartBudget;
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
        .map(SupervisionRows::row)
        .toList();
  }

  /** Returns one zone; empty if there is none at that path. */
  public Optional<ObjectNode> zone(ActorPath path) {
    return callboard.admin().failureZones().stream()
        .filter(zone -> zone.path().equals(path))
        .findFirst()
        .map(SupervisionRows::row);
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
        .map(
            failures -> {
              ArrayNode history = row.putArray("history");
              failures.forEach(failure -> history.add(Json.uncheckedTree(failure)));
              return Optional.of(row);
            });
  }

  /**
   * Returns the direct children of each of these zones, by keys that stay the same, and how many
   * are left out.
   *
   * @param open paths of the zones; {@code /} for the root, {@code system} for the toolkit's own
   *     actors
   * @param most maximum number of rows for each zone; of more, those that do not run come first
   */
  public Future<Map<String, ObjectNode>> tree(List<String> open, int most) {
    return callboard
        .admin()
        .running()
        .map(
            running ->
                new SupervisionTree(running, callboard.admin().failureZones(), actors::row)
                    .rows(open, most));
  }

  /** Returns whether that names a part of the tree which is no failure zone. */
  public static boolean isPlace(String name) {
    return name.equals(SupervisionTree.ROOT) || name.equals(SupervisionTree.SYSTEM);
  }

  /** Returns the remaining restarts. */
  static ObjectNode budget(RestartBudget budget) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("allowed", budget.allowed())
        .put("window", budget.window().toString())
        .put("counted", budget.counted())
        .put("left", budget.left());
  }

  /** Returns the row of a zone, without its children. */
  static ObjectNode row(FailureZoneStatus zone) {
    ObjectNode row =
        JsonNodeFactory.instance
            .objectNode()
            .put("path", zone.path().toString())
            .put("kind", "zone")
            .put("node", zone.node())
            .put("strategy", zone.strategy().name())
            .put("state", zone.state().name())
            .put("children", zone.children().size())
            .put("restarts", zone.restarts())
            .put("childFailures", zone.childFailures())
            .put("childRestarts", zone.childRestarts())
            .put("whenOver", zone.policy().whenOver().name())
            .put("childKind", zone.childKind().name());
    row.set("budget", budget(zone.budget()));
    if (zone.ownBudget() != null) {
      row.set("ownBudget", budget(zone.ownBudget()));
    }
    if (zone.supervisor() != null) {
      row.put("supervisor", zone.supervisor().toString());
    }
    if (zone.lastFailure() != null) {
      row.put("lastFailure", zone.lastFailure());
    }
    if (zone.lastFailureAt() != null) {
      row.put("lastFailureAt", zone.lastFailureAt().toString());
    }
    if (zone.nextAttempt() != null) {
      row.put("nextAttempt", zone.nextAttempt().toString());
    }
    if (zone.needs() != null) {
      row.put("needs", zone.needs().toString());
    }
    return row;
  }
}
