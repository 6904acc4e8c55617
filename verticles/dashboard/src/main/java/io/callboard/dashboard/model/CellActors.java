package io.callboard.dashboard.model;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.Callboard;
import io.callboard.admin.ActorStatus.State;
import io.callboard.codecs.ActorPath;
import io.callboard.store.Member;
import io.vertx.core.Future;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Single actors and failure zones of the cell, wherever they are. */
public final class CellActors {
  /** Maximum number of nodes that are asked for an actor of which nobody knows where it is. */
  private static final int MOST_ASKED = 50;

  private final Callboard callboard;
  private final SupervisionRows here;

  /** Creates the reader of a node. */
  public CellActors(Callboard callboard, SupervisionRows here) {
    this.callboard = callboard;
    this.here = here;
  }

  /**
   * Completes with the failure zone or else the actor of that path: of this node if it has one,
   * else of the node that owns it or has it; empty if there is none. Fails if a node that is named
   * does not answer.
   *
   * @param node name of the node; null if it is not known
   */
  public Future<Optional<ObjectNode>> one(ActorPath path, @Nullable String node) {
    if (node != null && !node.equals(callboard.node())) {
      return callboard
          .members()
          .compose(
              members ->
                  members.stream()
                      .filter(member -> member.name().equals(node))
                      .findFirst()
                      .map(member -> callboard.admin().of(member).find(path.toString()))
                      .orElseGet(() -> Future.succeededFuture(Optional.empty())));
    }
    return here.one(path)
        .compose(
            found ->
                node != null || found.filter(CellActors::isHere).isPresent()
                    ? Future.succeededFuture(found)
                    : elsewhere(path, found));
  }

  private static boolean isHere(ObjectNode row) {
    String state = row.path("state").asText();
    return !state.equals(State.ELSEWHERE.name()) && row.has("node");
  }

  /** Returns the row of the node that has it; what is stored of it is added. */
  private Future<Optional<ObjectNode>> elsewhere(ActorPath path, Optional<ObjectNode> known) {
    String owner = known.map(row -> row.path("owner").asText("")).orElse("");
    return callboard
        .members()
        .compose(
            members -> {
              List<Future<Optional<ObjectNode>>> asked =
                  members.stream()
                      .filter(member -> !member.name().equals(callboard.node()))
                      .filter(member -> owner.isEmpty() || member.name().equals(owner))
                      .limit(MOST_ASKED)
                      .map(member -> find(member, path))
                      .toList();
              return Future.join(asked)
                  .map(
                      all ->
                          asked.stream()
                              .map(Future::result)
                              .flatMap(Optional::stream)
                              .filter(row -> !row.path("state").asText().equals("ELSEWHERE"))
                              .findFirst()
                              .map(row -> merged(row, known))
                              .or(() -> known));
            });
  }

  /** A node that does not answer does not have it, as far as is known. */
  private Future<Optional<ObjectNode>> find(Member member, ActorPath path) {
    return callboard.admin().of(member).find(path.toString()).otherwise(Optional.empty());
  }

  private static ObjectNode merged(ObjectNode row, Optional<ObjectNode> known) {
    known
        .map(each -> each.get("stored"))
        .filter(Objects::nonNull)
        .ifPresent(stored -> row.set("stored", stored));
    return row;
  }
}
