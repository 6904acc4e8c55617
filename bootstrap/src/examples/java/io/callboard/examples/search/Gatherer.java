package io.callboard.examples.search;

import io.callboard.Actor;
import io.callboard.ActorRef;
import io.callboard.CallboardException;
import io.callboard.Protocol;
import io.callboard.examples.search.Gatherer.Message;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Gathers the answers to one query in one tree, and ends. First it asks every node what the words
 * of the query weigh there; with the sum it asks the wanted ones for their hits, and passes each
 * answer on when it comes. A node that fails, or has not answered in time, is missing.
 */
final class Gatherer extends Actor<Message> {
  /** What becomes of its questions. */
  sealed interface Message {
    /** A node has weighed the words, or could not. */
    record Weighed(int share, Optional<Statistics> statistics) implements Message {}

    /** A node has searched. */
    record Searched(Found found) implements Message {}

    /** A node has not. */
    record Missed(int share, String why) implements Message {}
  }

  private final Tree tree;
  private final Head.Search search;
  private final InstantSource clock;
  private final List<Statistics> statistics = new ArrayList<>();
  private final TreeSet<Integer> unweighed = new TreeSet<>();
  private final TreeSet<Integer> waiting = new TreeSet<>();
  private final List<Integer> missing = new ArrayList<>();
  private String why = "";

  Gatherer(Tree tree, Head.Search search, InstantSource clock) {
    this.tree = tree;
    this.search = search;
    this.clock = clock;
  }

  @Override
  protected void protocol(Protocol<Message> on) {
    on.message(Message.Weighed.class, this::weighed)
        .message(Message.Searched.class, this::searched)
        .message(Message.Missed.class, this::missed);
  }

  @Override
  protected Future<?> started() {
    Duration half = left().dividedBy(2);
    long deadline = clock.millis() + half.toMillis();
    for (int share = 0; share < tree.shares(); share++) {
      int asked = share;
      unweighed.add(share);
      pipeToSelf(
          node(share)
              .ask(new SearchNode.Message.Weigh(search.query(), deadline), Statistics.class, half),
          answer -> new Message.Weighed(asked, Optional.ofNullable(answer.result())));
    }
    return Future.succeededFuture();
  }

  private void weighed(Message.Weighed weighed) {
    unweighed.remove(weighed.share());
    weighed.statistics().ifPresent(statistics::add);
    if (unweighed.isEmpty()) {
      find(Statistics.sum(statistics));
    }
  }

  /** Also where weighing failed: the node may be back. */
  private void find(Statistics all) {
    waiting.addAll(search.wanted());
    for (int share : search.wanted()) {
      var find =
          new SearchNode.Message.Find(search.query(), all, search.limit(), search.deadline());
      pipeToSelf(node(share).ask(find, Found.class, left()), answer -> outcome(share, answer));
    }
  }

  private static Message outcome(int share, AsyncResult<Found> answer) {
    if (answer.failed()) {
      return new Message.Missed(share, reason(answer.cause()));
    }
    return answer.result().whole()
        ? new Message.Searched(answer.result())
        : new Message.Missed(share, "out of time");
  }

  private static String reason(Throwable cause) {
    return cause instanceof CallboardException ours ? ours.code().name() : cause.toString();
  }

  private void searched(Message.Searched searched) {
    tell(
        front(),
        new FrontEnd.Message.Part(search.id(), search.attempt(), tree.name(), searched.found()));
    settled(searched.found().share());
  }

  private void missed(Message.Missed missed) {
    missing.add(missed.share());
    why = "node %d: %s".formatted(missed.share(), missed.why());
    settled(missed.share());
  }

  private void settled(int share) {
    waiting.remove(share);
    if (waiting.isEmpty()) {
      tell(
          front(),
          new FrontEnd.Message.Done(search.id(), search.attempt(), List.copyOf(missing), why));
      stopSelf();
    }
  }

  private Duration left() {
    return Duration.ofMillis(Math.max(1, search.deadline() - clock.millis()));
  }

  private ActorRef<SearchNode.Message> node(int share) {
    return callboard().ref(tree.node(share), SearchNode.Message.class);
  }

  private ActorRef<FrontEnd.Message> front() {
    return callboard().ref(search.front(), FrontEnd.Message.class);
  }
}
