package io.callboard.dashboard.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.ActorStatus;
import io.callboard.Callboard;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Json;
import io.callboard.dashboard.contract.Call;
import io.callboard.dashboard.contract.ContractRouter.Handler;
import io.callboard.dashboard.contract.Fault;
import io.callboard.dashboard.contract.ProblemException;
import io.callboard.dashboard.contract.Reply;
import io.callboard.dashboard.model.ActorRows;
import io.callboard.dashboard.model.CellModel;
import io.callboard.store.StoredParked;
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
        "listDeadLetters", this::deadLetters,
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

  private static ActorPath path(String pointer, String text) {
    try {
      return ActorPath.of(text);
    } catch (IllegalArgumentException e) {
      throw ProblemException.malformed(List.of(new Fault(pointer, String.valueOf(e.getMessage()))));
    }
  }

  private Future<Reply> deadLetters(Call call) {
    return callboard
        .parked(call.number("limit"))
        .map(parked -> Items.reply(parked.stream().map(CellApi::deadLetter).toList()));
  }

  /** What is known of a parked message, without what it says. */
  private static ObjectNode deadLetter(StoredParked parked) {
    ObjectNode row =
        JsonNodeFactory.instance
            .objectNode()
            .put("actor", parked.actor().toString())
            .put("id", parked.id())
            .put("size", parked.bytes().length);
    try {
      JsonNode stored = Json.parse("parked message " + parked.id(), parked.bytes());
      copy(stored, "cause", row, "cause");
      copy(stored, "attempts", row, "attempts");
      copy(stored.path("envelope"), "t", row, "type");
      copy(stored.path("envelope"), "from", row, "from");
    } catch (CodecException e) {
      row.put("cause", String.valueOf(e.getMessage()));
    }
    return row;
  }

  private static void copy(JsonNode from, String field, ObjectNode to, String name) {
    if (from.has(field)) {
      to.set(name, from.get(field));
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
