package io.callboard.internal.remote;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.admin.RemoteAdmin;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Json;
import io.callboard.internal.remote.Question.What;
import io.callboard.store.Member;
import io.callboard.supervision.Causes;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Asks one node over the event bus. */
public final class AskingAdmin implements RemoteAdmin {
  private static final long WITHIN_MS = 2_000;

  private final Vertx vertx;
  private final String self;
  private final Member member;

  /**
   * @param self name of this node
   * @param member the node that is asked
   */
  public AskingAdmin(Vertx vertx, String self, Member member) {
    this.vertx = vertx;
    this.self = self;
    this.member = member;
  }

  @Override
  public Future<ObjectNode> rollUp() {
    return ask(What.ROLL_UP, null);
  }

  @Override
  public Future<Optional<ObjectNode>> find(String path) {
    return ask(What.FIND, path)
        .map(
            answer ->
                answer.path("found") instanceof ObjectNode found
                    ? Optional.of(found)
                    : Optional.empty());
  }

  @Override
  public Future<Map<String, ObjectNode>> contents(List<String> zones, int most) {
    return ask(Question.contents(zones, most, self)).map(AskingAdmin::rows);
  }

  private static Map<String, ObjectNode> rows(ObjectNode answer) {
    Map<String, ObjectNode> rows = new LinkedHashMap<>();
    answer
        .path("contents")
        .properties()
        .forEach(
            each -> {
              if (each.getValue() instanceof ObjectNode row) {
                rows.put(each.getKey(), row);
              }
            });
    return rows;
  }

  @Override
  public Future<Void> restart(String path) {
    return ask(What.RESTART, path).mapEmpty();
  }

  @Override
  public Future<Void> resume(String path) {
    return ask(What.RESUME, path).mapEmpty();
  }

  @Override
  public Future<Void> suspend(String path) {
    return ask(What.SUSPEND, path).mapEmpty();
  }

  private Future<ObjectNode> ask(What what, @Nullable String path) {
    return ask(Question.of(what, path, self));
  }

  private Future<ObjectNode> ask(Question asked) {
    byte[] question = Json.bytes(asked);
    return vertx
        .eventBus()
        .<byte[]>request(
            Question.address(member.bootId()),
            question,
            new DeliveryOptions().setSendTimeout(WITHIN_MS))
        .transform(
            answered ->
                answered.succeeded()
                    ? read(answered.result().body())
                    : Future.failedFuture(refused(answered.cause())));
  }

  private Future<ObjectNode> read(byte[] answer) {
    try {
      JsonNode read = Json.parse("the answer of node " + member.name(), answer);
      return read instanceof ObjectNode form
          ? Future.succeededFuture(form)
          : Future.failedFuture(unavailable("is no JSON object"));
    } catch (CodecException e) {
      return Future.failedFuture(unavailable("cannot be read: " + Causes.message(e)));
    }
  }

  private CallboardException unavailable(String why) {
    return new CallboardException(
        Code.UNAVAILABLE, "the answer of node %s %s".formatted(member.name(), why));
  }

  private CallboardException refused(Throwable cause) {
    String name = member.name();
    if (cause instanceof ReplyException reply) {
      return switch (reply.failureType()) {
        case TIMEOUT ->
            new CallboardException(
                Code.UNAVAILABLE,
                "node %s does not answer within %d ms".formatted(name, WITHIN_MS));
        case NO_HANDLERS ->
            new CallboardException(
                Code.UNAVAILABLE,
                "node %s answers no questions: its event bus is not reached, or its version is older"
                    .formatted(name));
        case RECIPIENT_FAILURE, ERROR ->
            new CallboardException(
                reply.failureType() == ReplyFailure.ERROR
                    ? Code.UNAVAILABLE
                    : Refusal.code(reply.failureCode()),
                "node %s: %s".formatted(name, Causes.message(reply)));
      };
    }
    return new CallboardException(
        Code.UNAVAILABLE,
        "node %s cannot be asked: %s".formatted(name, Causes.message(cause)),
        cause);
  }
}
