package io.callboard.dashboard.internal.rest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.Callboard;
import io.callboard.admin.RemoteAdmin;
import io.callboard.codecs.ActorPath;
import io.callboard.dashboard.internal.contract.Problem;
import io.callboard.dashboard.internal.contract.Problem.Kind;
import io.callboard.dashboard.internal.contract.ProblemException;
import io.vertx.core.Future;
import java.util.List;

/** Actions on actors and failure zones of other nodes, carried out by those nodes. */
final class RemoteActorApi {
  private final Callboard callboard;

  RemoteActorApi(Callboard callboard) {
    this.callboard = callboard;
  }

  /** Completes with the row of the actor or failure zone after the action. */
  Future<ObjectNode> act(String node, String what, ActorPath path) {
    return callboard
        .members()
        .compose(
            members ->
                members.stream()
                    .filter(member -> member.name().equals(node))
                    .findFirst()
                    .map(member -> act(callboard.admin().of(member), node, what, path.toString()))
                    .orElseGet(
                        () ->
                            Future.failedFuture(
                                ProblemException.notFound(
                                    "no node %s is a member of the cell".formatted(node)))));
  }

  private static Future<ObjectNode> act(RemoteAdmin there, String node, String what, String path) {
    return found(there, node, path)
        .compose(
            row ->
                switch (what) {
                  case "restart" -> there.restart(path);
                  case "resume" -> there.resume(path);
                  default ->
                      row.path("system").asBoolean()
                          ? Future.failedFuture(needed(path, row.path("state").asText()))
                          : there.suspend(path);
                })
        .compose(done -> found(there, node, path));
  }

  private static Future<ObjectNode> found(RemoteAdmin there, String node, String path) {
    return there
        .find(path)
        .map(
            found ->
                found.orElseThrow(
                    () ->
                        ProblemException.notFound(
                            "node %s has neither an actor %s nor a failure zone"
                                .formatted(node, path))));
  }

  /** Returns the refusal to stop an actor of the toolkit itself. */
  static ProblemException needed(String path, String state) {
    return new ProblemException(
        new Problem(
            Kind.NEEDED,
            "%s is an actor of the toolkit itself, which the node needs: it can be restarted, not stopped; pause job types or drain hosts instead"
                .formatted(path),
            List.of(),
            state));
  }
}
