package io.callboard.internal.remote;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.CallboardException;
import io.callboard.admin.CallboardAdmin;
import io.callboard.admin.FailureZoneStatus;
import io.callboard.admin.RemoteAdmin;
import io.callboard.admin.StatusJson;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Json;
import io.callboard.internal.context.NodeContext;
import io.callboard.supervision.Causes;
import io.callboard.zone.ZoneDefaults;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageConsumer;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Endpoint of this node that answers the questions of the cell's nodes, its own among them. */
public final class AdminEndpoint {
  private static final Logger log = LoggerFactory.getLogger(AdminEndpoint.class);

  /** Limit of the questions under way, without those that share a reading. */
  private static final int MOST = 16;

  private final NodeContext node;
  private final Supplier<CallboardAdmin> admin;
  private final Function<ActorPath, Optional<FailureZoneStatus>> zone;
  private final RollUps rollUps;
  private final ContentsReadings contents;
  private final AtomicInteger underWay = new AtomicInteger();
  private volatile @Nullable MessageConsumer<byte[]> consumer;

  /**
   * @param admin known when the node is open
   * @param zone finds a failure zone of this node
   */
  public AdminEndpoint(
      NodeContext node,
      Supplier<CallboardAdmin> admin,
      Function<ActorPath, Optional<FailureZoneStatus>> zone) {
    this.node = node;
    this.admin = admin;
    this.zone = zone;
    this.rollUps = new RollUps(node, admin);
    this.contents = ContentsReadings.of(node, admin);
  }

  /** Starts to listen; completes when other nodes can find it. */
  public Future<Void> start() {
    MessageConsumer<byte[]> listens =
        node.vertx().eventBus().consumer(Question.address(node.bootId()), this::asked);
    consumer = listens;
    return listens.completion();
  }

  /** Stops to listen. */
  public Future<Void> close() {
    MessageConsumer<byte[]> listens = consumer;
    return listens == null ? Future.succeededFuture() : listens.unregister();
  }

  private void asked(Message<byte[]> message) {
    byte[] body = message.body(); // fails here if it is something else, before it counts
    Question question;
    Question.What what;
    try {
      question = Question.read(body);
      what = question.asked();
    } catch (RuntimeException e) {
      refuse(message, e);
      return;
    }
    if (what.isShared()) {
      answer(what, question).onComplete(answered -> answered(message, answered));
      return;
    }
    if (underWay.incrementAndGet() > MOST) {
      underWay.decrementAndGet();
      message.fail(Refusal.BUSY.ordinal(), "more than %d questions at once".formatted(MOST));
      return;
    }
    answer(what, question)
        .onComplete(
            answered -> {
              underWay.decrementAndGet();
              answered(message, answered);
            });
  }

  private static void answered(Message<byte[]> message, AsyncResult<byte[]> answered) {
    if (answered.failed()) {
      refuse(message, answered.cause());
    } else {
      reply(message, answered.result());
    }
  }

  private static void reply(Message<byte[]> message, byte[] bytes) {
    if (bytes.length > RemoteAdmin.MOST_BYTES) {
      message.fail(
          Refusal.BUSY.ordinal(),
          "the answer has %d bytes, of at most %d".formatted(bytes.length, RemoteAdmin.MOST_BYTES));
    } else {
      message.reply(bytes);
    }
  }

  private static void refuse(Message<byte[]> message, Throwable cause) {
    String why = Causes.message(cause);
    if (cause instanceof CallboardException known) {
      message.fail(Refusal.of(known.code()).ordinal(), why);
    } else {
      log.debug("a question of another node is refused", Causes.readable(cause));
      message.fail(Refusal.UNKNOWN.ordinal(), why);
    }
  }

  private Future<byte[]> answer(Question.What what, Question question) {
    if (node.hindrance().isPresent()) {
      return Future.failedFuture(node.hindrance().get());
    }
    try {
      return switch (what) {
        case ROLL_UP -> rollUps.read().map(form -> Json.bytes(form));
        case CONTENTS -> contents.read(question.wanted());
        case FIND -> find(ActorPath.of(question.where())).map(form -> Json.bytes(form));
        case RESTART -> done(question, admin.get().restart(question.where()));
        case RESUME -> done(question, admin.get().resume(question.where()));
        case SUSPEND -> done(question, suspend(question.where()));
      };
    } catch (RuntimeException e) { // none may leave a question counted as under way
      return Future.failedFuture(e);
    }
  }

  private Future<ObjectNode> find(ActorPath path) {
    CallboardAdmin here = admin.get();
    Optional<ObjectNode> found =
        zone.apply(path)
            .map((FailureZoneStatus status) -> StatusJson.of(status))
            .or(
                () ->
                    here.running(path).map(actor -> StatusJson.of(actor, node.clock().instant())));
    ObjectNode answer = JsonNodeFactory.instance.objectNode().put("f", Question.FORMAT);
    return found.isEmpty()
        ? Future.succeededFuture(answer)
        : here.failures(path.toString())
            .map(failures -> answer.set("found", StatusJson.putHistory(found.get(), failures)));
  }

  /** Stops it, unless it is an actor of the toolkit, which the node needs. */
  private Future<Void> suspend(String path) {
    boolean needed =
        admin
            .get()
            .running(ActorPath.of(path))
            .filter(actor -> actor.zone().equals(ZoneDefaults.TOOLKIT))
            .isPresent();
    return needed
        ? Future.failedFuture(
            new CallboardException(
                CallboardException.Code.CONFLICT,
                "%s is an actor of the toolkit itself, which the node needs: it can be restarted, not stopped"
                    .formatted(path)))
        : admin.get().suspend(path);
  }

  private Future<byte[]> done(Question question, Future<Void> action) {
    log.info("{} of {} requested by node {}", question.what(), question.path(), question.by());
    ObjectNode form =
        JsonNodeFactory.instance.objectNode().put("f", Question.FORMAT).put("done", true);
    return action.map(done -> Json.bytes(form));
  }
}
