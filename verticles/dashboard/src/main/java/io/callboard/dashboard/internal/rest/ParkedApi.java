package io.callboard.dashboard.internal.rest;

import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.Callboard;
import io.callboard.CallboardException;
import io.callboard.admin.ParkedFilter;
import io.callboard.admin.WaitingMessage;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.fields.Fields;
import io.callboard.codecs.redaction.Sensitivity;
import io.callboard.dashboard.internal.audit.AuditDetail;
import io.callboard.dashboard.internal.contract.ApiResponse;
import io.callboard.dashboard.internal.contract.Call;
import io.callboard.dashboard.internal.contract.Caller;
import io.callboard.dashboard.internal.contract.ContractRouter.Handler;
import io.callboard.dashboard.internal.contract.Problem;
import io.callboard.dashboard.internal.contract.ProblemException;
import io.callboard.dashboard.internal.contract.Role;
import io.callboard.dashboard.internal.guard.OperationGuard;
import io.callboard.dashboard.internal.model.MaskedJson;
import io.callboard.dashboard.internal.model.ParkedRows;
import io.callboard.jobs.model.Masked;
import io.callboard.placement.Offer;
import io.callboard.store.ParkedKey;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Operations on messages that wait in mailboxes or are parked. */
public final class ParkedApi {
  private static final Logger log = LoggerFactory.getLogger(ParkedApi.class);

  private final Callboard callboard;
  private final Predicate<Caller> payloads;

  /**
   * Creates the operations.
   *
   * @param payloads whether the content of messages is shown to a caller
   */
  public ParkedApi(Callboard callboard, Predicate<Caller> payloads) {
    this.callboard = callboard;
    this.payloads = payloads;
  }

  /** Returns the handlers by the id of their operation. */
  public Map<String, Handler> handlers() {
    return Map.of(
        "listParked", this::list,
        "getParked", this::get,
        "replayParked", this::replay,
        "discardParked", this::discard,
        "replayManyParked", this::replayMany,
        "peekMailbox", this::peek);
  }

  private Future<ApiResponse> list(Call call) {
    return callboard
        .admin()
        .parked(call.number("limit"))
        .map(
            parked ->
                Items.reply(parked.stream().map(each -> ParkedRows.row(each, false)).toList()));
  }

  private Future<ApiResponse> get(Call call) {
    ParkedKey key = key(call);
    return callboard
        .admin()
        .parked(key.actor().toString(), key.id())
        .map(
            found ->
                ApiResponse.ok(
                    ParkedRows.row(
                        found.orElseThrow(() -> notFound(call.text("id"))),
                        payloads.test(call.caller()))));
  }

  private Future<ApiResponse> replay(Call call) {
    ParkedKey key = key(call);
    String actor = key.actor().toString();
    ObjectNode answer = object().put("id", ParkedRows.id(key)).put("actor", actor);
    JsonNode body = call.body().path("body");
    if (!body.isMissingNode()) {
      OperationGuard.require(call.caller(), Role.ADMIN, "replaying a changed message");
    }
    Future<Void> replayed =
        body.isMissingNode()
            ? callboard.admin().replay(actor, key.id())
            : restored(key, body)
                .compose(whole -> callboard.admin().replay(actor, key.id(), whole))
                .map(
                    original -> {
                      answer.set(
                          "original", ParkedRows.row(original, payloads.test(call.caller())));
                      return null;
                    });
    return replayed.recover(ParkedApi::refused).map(done -> ApiResponse.accepted(answer));
  }

  /**
   * Completes with a changed body that has the secrets of the original where it has what stands for
   * them; fails where nobody can tell what is meant.
   */
  private Future<JsonNode> restored(ParkedKey key, JsonNode body) {
    return MaskedJson.place(body).isEmpty()
        ? Future.succeededFuture(body)
        : callboard
            .admin()
            .parked(key.actor().toString(), key.id())
            .map(
                found -> {
                  JsonNode whole =
                      found
                          .map(
                              parked ->
                                  MaskedJson.restored(
                                      body,
                                      ParkedRows.body(parked),
                                      ParkedRows.sensitivity(parked)))
                          .orElse(body);
                  found
                      .flatMap(parked -> MaskedJson.place(whole, ParkedRows.body(parked)))
                      .ifPresent(
                          place -> {
                            throw ProblemException.invalid(
                                "/body" + place,
                                "has %s, which stands for a secret that the original does not have there: give the secret itself"
                                    .formatted(Masked.VALUE));
                          });
                  return whole;
                });
  }

  private Future<ApiResponse> discard(Call call) {
    ParkedKey key = key(call);
    String actor = key.actor().toString();
    return callboard
        .admin()
        .discard(actor, key.id())
        .map(done -> ApiResponse.ok(object().put("id", ParkedRows.id(key)).put("actor", actor)));
  }

  private Future<ApiResponse> replayMany(Call call) {
    JsonNode filter = call.body().path("filter");
    String prefix = filter.path("actor").asText("/");
    ParkedFilter meant =
        new ParkedFilter(
            prefix.equals("/")
                ? Optional.empty()
                : Optional.of(CellApi.path("/filter/actor", prefix)),
            Optional.ofNullable(filter.get("type")).map(JsonNode::asText),
            Optional.ofNullable(filter.get("cause")).map(JsonNode::asText));
    AuditDetail.put(call.context(), "parked messages of " + words(filter));
    return callboard
        .admin()
        .replay(meant, call.body().path("ratePerSecond").asDouble())
        .map(
            bulk -> {
              bulk.replayed()
                  .onFailure(
                      cause ->
                          log.warn(
                              "a bulk replay of parked messages ended early, those that are left stay parked: {}",
                              cause.getMessage()));
              AuditDetail.put(
                  call.context(),
                  "%d parked messages of %s, %s a second"
                      .formatted(
                          bulk.matched(),
                          words(filter),
                          call.body().path("ratePerSecond").asText()));
              return ApiResponse.accepted(object().put("matched", bulk.matched()));
            });
  }

  /** Describes a filter in words. */
  private static String words(JsonNode filter) {
    return filter.isEmpty()
        ? "any"
        : filter.properties().stream()
            .map(field -> field.getKey() + " " + field.getValue().asText())
            .collect(Collectors.joining(", "));
  }

  private Future<ApiResponse> peek(Call call) {
    ActorPath path = CellApi.path("/path", call.text("path"));
    return callboard
        .admin()
        .stored(path.toString())
        .compose(
            found ->
                found.isEmpty()
                    ? Future.failedFuture(
                        ProblemException.notFound("there is no durable actor " + path))
                    : callboard.admin().waiting(path.toString(), call.number("limit")))
        .compose(
            waiting ->
                callboard
                    .isHosted(path.toString())
                    .map(hosted -> mailbox(path, waiting, hosted, payloads.test(call.caller()))));
  }

  private static ApiResponse mailbox(
      ActorPath path, List<WaitingMessage> waiting, boolean hosted, boolean shown) {
    ObjectNode body = Items.object(waiting.stream().map(each -> row(each, shown)).toList());
    if (!hosted) {
      body.put("why", Offer.unhosted(path));
    }
    return ApiResponse.ok(body);
  }

  private static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  private static ParkedKey key(Call call) {
    String id = call.text("id");
    int end = id.indexOf('~');
    try {
      return new ParkedKey(
          ActorPath.fromNodeName(id.substring(0, Math.max(0, end))), id.substring(end + 1));
    } catch (IllegalArgumentException e) {
      throw notFound(id);
    }
  }

  private static ProblemException notFound(String id) {
    return ProblemException.notFound("there is no parked message \"%s\"".formatted(id));
  }

  private static Future<Void> refused(Throwable cause) {
    if (cause instanceof CodecException edited) {
      return Future.failedFuture(
          ProblemException.invalid("/body" + place(edited), String.valueOf(edited.getMessage())));
    }
    boolean unreadable =
        cause instanceof CallboardException ours
            && ours.code() == CallboardException.Code.BAD_MESSAGE;
    return Future.failedFuture(
        unreadable
            ? new ProblemException(
                Problem.of(Problem.Kind.ILLEGAL_STATE, String.valueOf(cause.getMessage())))
            : cause);
  }

  /** Returns the place of the fault in the body, as a JSON pointer; empty if it is not known. */
  private static String place(CodecException e) {
    if (!(e.getCause() instanceof JsonMappingException cause)) {
      return "";
    }
    StringBuilder pointer = new StringBuilder();
    for (JsonMappingException.Reference step : cause.getPath()) {
      String name =
          step.getFieldName() == null ? String.valueOf(step.getIndex()) : step.getFieldName();
      pointer.append('/').append(Fields.escaped(name));
    }
    return pointer.toString();
  }

  private static ObjectNode row(WaitingMessage waiting, boolean shown) {
    ObjectNode row = object().put("place", waiting.place()).put("size", waiting.size());
    if (waiting.id() != null) {
      row.put("from", waiting.id().sender()).put("number", waiting.id().number());
    }
    if (waiting.type() != null) {
      row.put("type", waiting.type().name()).put("version", waiting.type().version());
    }
    if (waiting.unreadable() != null) {
      row.put("unreadable", waiting.unreadable());
    }
    if (waiting.blob()) {
      row.put("blob", true);
    }
    if (waiting.since() != null) {
      row.put("since", waiting.since().toString());
    }
    if (shown && waiting.body() != null && waiting.type() != null) {
      Sensitivity sensitivity = Sensitivity.of(waiting.type(), waiting.body());
      MaskedJson.put(row, "body", waiting.body(), sensitivity);
    }
    return row;
  }
}
