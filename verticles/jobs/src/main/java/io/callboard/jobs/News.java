package io.callboard.jobs;

import io.callboard.Callboard;
import io.callboard.store.Member;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Told to all nodes of the cell, at most once: each gets a message of its own, from a context that
 * no actor ends. What is <em>published</em> on a clustered event bus to several nodes that are not
 * connected yet throws in the connection of the second, and what waits there is lost; and the
 * connection belongs to whoever happened to send first (Vert.x 5.0, {@code OutboundConnection}).
 */
final class News {
  private static final Logger log = LoggerFactory.getLogger(News.class);

  private final Callboard callboard;
  private final Context context;
  private final List<MessageConsumer<?>> consumers = new ArrayList<>();
  private volatile Set<String> nodes = Set.of();

  News(Callboard callboard) {
    this.callboard = callboard;
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

  /** Looks whom to tell; what fails is tried again when the members change. */
  Future<Void> membersChanged() {
    return callboard
        .members()
        .map(
            members -> {
              nodes = members.stream().map(Member::name).collect(Collectors.toUnmodifiableSet());
              return (Void) null;
            })
        .onFailure(cause -> log.debug("the members could not be read", cause))
        .otherwiseEmpty();
  }

  private static String address(String topic, String node) {
    return "callboard.jobs.%s.%s".formatted(topic, node);
  }

  Future<Void> close() {
    return Future.join(consumers.stream().map(MessageConsumer::unregister).toList()).mapEmpty();
  }
}
