package io.callboard.examples.search;

import io.callboard.Actor;
import io.callboard.Protocol;
import io.callboard.admin.ActorStatus;
import io.callboard.codecs.ActorPath;
import io.callboard.examples.search.Chaos.Message;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;

/**
 * Kills a random actor of the trees on this member again and again: a node, every other time in its
 * next query, a head or a gatherer.
 */
final class Chaos extends Actor<Message> {
  /** Message to the chaos actor. */
  sealed interface Message {
    /** Looks for a victim. */
    record Strike() implements Message {}

    /** The actors of this member. */
    record Seen(List<ActorPath> actors) implements Message {}
  }

  private final List<Tree> trees;
  private final Duration period;

  Chaos(List<Tree> trees, Duration period) {
    this.trees = trees;
    this.period = period;
  }

  @Override
  protected void protocol(Protocol<Message> on) {
    on.message(Message.Strike.class, strike -> look())
        .message(Message.Seen.class, seen -> kill(seen.actors()));
  }

  @Override
  protected Future<?> started() {
    startPeriodicTimer("strike", period, new Message.Strike());
    return Future.succeededFuture();
  }

  private void look() {
    pipeToSelf(
        callboard().admin().running(),
        running ->
            new Message.Seen(
                running.succeeded()
                    ? running.result().stream().map(ActorStatus::path).toList()
                    : List.of()));
  }

  private void kill(List<ActorPath> actors) {
    List<String> victims =
        actors.stream()
            .map(ActorPath::toString)
            .filter(path -> !path.endsWith("/indexer"))
            .filter(path -> trees.stream().anyMatch(tree -> path.startsWith(tree.path() + "/")))
            .toList();
    if (victims.isEmpty()) {
      return;
    }
    String victim = victims.get(random().nextInt(victims.size()));
    if (victim.contains("/nodes/") && random().nextBoolean()) {
      tell(callboard().ref(victim, SearchNode.Message.class), new SearchNode.Message.FailNext());
    } else {
      tell(callboard().ref(victim, Kill.class), new Kill());
    }
  }
}
