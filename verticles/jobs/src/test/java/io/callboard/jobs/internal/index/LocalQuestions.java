package io.callboard.jobs.internal.index;

import io.callboard.Callboard;
import io.callboard.codecs.Json;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Way to the indexes of nodes of this process, which have no links; answers are written and read as
 * on a link.
 */
final class LocalQuestions implements FormerOwner.Questions {
  private static final Duration LIMIT = Duration.ofSeconds(2);

  private final Map<String, Callboard> nodes = new ConcurrentHashMap<>();

  void add(Callboard node) {
    nodes.put(node.node(), node);
  }

  void remove(Callboard node) {
    nodes.remove(node.node());
  }

  @Override
  public Future<IndexAnswer.HandedOver> ask(String name, IndexCommand.HandOver question) {
    Callboard node = nodes.get(name);
    if (node == null) {
      return Future.failedFuture(new IllegalStateException("there is no node " + name));
    }
    return Future.succeededFuture()
        .compose(
            v ->
                node.ref(IndexActor.path(name), IndexCommand.class)
                    .ask(question, IndexAnswer.HandedOver.class, LIMIT))
        .map(answer -> Json.read("answer", Json.bytes(answer), IndexAnswer.HandedOver.class));
  }
}
