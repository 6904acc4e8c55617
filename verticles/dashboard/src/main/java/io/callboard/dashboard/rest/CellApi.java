package io.callboard.dashboard.rest;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.ActorStatus;
import io.callboard.Callboard;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Json;
import io.callboard.dashboard.contract.Call;
import io.callboard.dashboard.contract.ContractRouter.Handler;
import io.callboard.dashboard.contract.Fault;
import io.callboard.dashboard.contract.ProblemException;
import io.callboard.dashboard.contract.Reply;
import io.callboard.dashboard.model.ActorRows;
import io.callboard.dashboard.model.CellModel;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;

/** The operations that look at actors, hosts, zones and figures. */
public final class CellApi {
  private final Callboard callboard;
  private final CellModel model;
  private final ActorRows actors;

  public CellApi(Callboard callboard, CellModel model, ActorRows actors) {
    this.callboard = callboard;
    this.model = model;
    this.actors = actors;
  }

  /** By the id of their operation. */
  public Map<String, Handler> handlers() {
    return Map.of(
        "listHosts", call -> model.hosts().map(Items::reply),
        "listActors", this::listActors,
        "getActor", this::getActor,
        "listZones", call -> Future.succeededFuture(Items.reply(model.zones())),
        "getStats", this::stats);
  }

  private Future<Reply> listActors(Call call) {
    String prefix = call.optionalText("prefix");
    String state = call.optionalText("state");
    return actors
        .list(
            new ActorRows.Query(
                prefix == null || prefix.equals("/") ? null : path("/prefix", prefix),
                state == null ? null : ActorStatus.State.valueOf(state),
                call.number("limit")))
        .map(page -> Reply.ok(Items.object(page.rows()).put("truncated", page.truncated())));
  }

  private Future<Reply> getActor(Call call) {
    ActorPath path = path("/path", call.text("path"));
    return actors
        .one(path)
        .map(
            found ->
                Reply.ok(
                    found.orElseThrow(
                        () -> ProblemException.notFound("there is no actor " + path))));
  }

  static ActorPath path(String pointer, String text) {
    try {
      return ActorPath.of(text);
    } catch (IllegalArgumentException e) {
      throw ProblemException.malformed(List.of(new Fault(pointer, String.valueOf(e.getMessage()))));
    }
  }

  private Future<Reply> stats(Call call) {
    return model
        .overview()
        .map(
            sections -> {
              ObjectNode body = JsonNodeFactory.instance.objectNode();
              sections.forEach(body::set);
              body.set("zones", Json.tree(model.zones()));
              body.set("history", model.history());
              return Reply.ok(body);
            });
  }
}
