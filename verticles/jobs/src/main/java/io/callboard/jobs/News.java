package io.callboard.jobs;

import io.callboard.Callboard;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Told to all nodes of the cell, at most once: each gets a message of its own, from a context that
 * no actor ends. On a clustered event bus a connection belongs to the context that happened to send
 * first, and each write that fails throws there (Vert.x 5.0.10: {@code
 * OutboundDeliveryContext.tryFail} answers false): an actor that sends itself fails for others.
 */
final class News {
  private static final Logger log = LoggerFactory.getLogger(News.class);

  private static final long AGAIN_MS = 1_000;

  private final Callboard callboard;
  private final Context context;
  private final List<MessageConsumer<?>> consumers = new ArrayList<>();
  private final AtomicLong looks = new AtomicLong();
  private volatile Set<String> nodes;
  private volatile boolean closed;

  News(Callboard callboard) {
    this.callboard = callboard;
    this.nodes = Set.of(callboard.node());
    this.context = ((VertxInternal) callboard.vertx()).createEventLoopContext();
  }

  /** Hears what any node of the cell tells, this one too. Completes when others can reach it. */
  Future<Void> hear(String topic, Handler<JsonObject> handler) {
    MessageConsumer<JsonObject> consumer =
        callboard
            .vertx()
            .eventBus()
            .consumer(address(topic, callboard.node()), m -> handler.handle(m.body()));
    consumers.add(consumer);
    return consumer.completion().compose(v -> membersChanged());
  }

  /** Any thread. */
  void tell(String topic, JsonObject what) {
    context.runOnContext(
        v -> nodes.forEach(node -> callboard.vertx().eventBus().send(address(topic, node), what)));
  }

  /** Looks whom to tell; what fails is tried again. */
  Future<Void> membersChanged() {
    long look = looks.incrementAndGet();
    return callboard
        .members()
        .map(
            members -> {
              Set<String> names = new TreeSet<>(Set.of(callboard.node()));
              members.forEach(member -> names.add(member.name()));
              if (look == looks.get()) { // else a later one tells
                nodes = names;
              }
              return (Void) null;
            })
        .onFailure(cause -> lookAgain(look, cause))
        .otherwiseEmpty();
  }

  private void lookAgain(long look, Throwable cause) {
    log.debug("the members could not be read", cause);
    if (!closed && look == looks.get()) {
      long unused =
          callboard
              .vertx()
              .setTimer(
                  AGAIN_MS,
                  id -> {
                    var again = membersChanged();
                  });
    }
  }

  private static String address(String topic, String node) {
    return "callboard.jobs.%s.%s".formatted(topic, node);
  }

  Future<Void> close() {
    closed = true;
    return Future.join(consumers.stream().map(MessageConsumer::unregister).toList()).mapEmpty();
  }
}
