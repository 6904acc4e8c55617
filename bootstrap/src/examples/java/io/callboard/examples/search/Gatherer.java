package io.callboard.examples.search;

import io.callboard.Actor;
import io.callboard.ActorRef;
import io.callboard.CallboardException;
import io.callboard.Protocol;
import io.callboard.examples.search.Gatherer.Message;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Gathers the answers to one query in one tree, and ends. First it asks every node what the words
 * of the query weigh there; with the sum it asks the wanted ones for their hits, and passes each
 * answer on when it comes. A node that fails, or has not answered in time, is missing. When enough
 * good hits are there it reports that at once, and passes on nothing more.
 */
final class Gatherer extends Actor<Message> {
  /** Message to a gatherer: an answer to one of its questions, or its failure. */
  sealed interface Message permits Message.Weighed, Message.Searched, Message.Missed, Kill {
    /** A node has weighed the words, or could not. */
    record Weighed(int share, Optional<Statistics> statistics) implements Message {}

    /** A node has searched. */
    record Searched(Found found) implements Message {}

    /** A node has not. */
    record Missed(int share, String why) implements Message {}
  }

  private final Tree tree;
  private final Head.Message.Search search;
  private final List<Statistics> statistics = new ArrayList<>();
  private final TreeSet<Integer> unweighed = new TreeSet<>();
  private final TreeSet<Integer> waiting = new TreeSet<>();
  private GoodHits good;
  private String why = "";
  private boolean isDone;

  Gatherer(Tree tree, Head.Message.Search search) {
    this.tree = tree;
    this.search = search;
    this.good = search.good();
  }

  @Override
  protected void protocol(Protocol<Message> on) {
    on.message(Message.Weighed.class, this::weighed)
        .message(Message.Searched.class, this::searched)
        .message(Message.Missed.class, this::missed)
        .message(Kill.class, Kill::strike);
  }

  @Override
  protected Future<?> started() {
    tell(search.front(), new FrontEnd.Message.Begun(search.id(), search.attempt(), self()));
    Duration half = left().dividedBy(2);
    for (int share = 0; share < tree.shares(); share++) {
      int asked = share;
      unweighed.add(share);
      pipeToSelf(
          node(share).ask(new SearchNode.Message.Weigh(search.query()), Statistics.class, half),
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

  /** Asks all nodes for hits, also those where weighing failed, as they may be back. */
  private void find(Statistics all) {
    waiting.addAll(search.wanted());
    Duration left = left();
    for (int share : search.wanted()) {
      var find = new SearchNode.Message.Find(search.query(), all, search.limit(), left.toMillis());
      pipeToSelf(node(share).ask(find, Found.class, left), answer -> outcome(share, answer));
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
    Found found = searched.found();
    if (!isDone) {
      tell(
          search.front(),
          new FrontEnd.Message.Part(search.id(), search.attempt(), tree.name(), found));
      good = good.plus(found);
    }
    settled(found.share());
  }

  private void missed(Message.Missed missed) {
    why = "node %d: %s".formatted(missed.share(), missed.why());
    settled(missed.share());
  }

  /** Ends the gatherer after the last answer; an answer that came later would be a dead letter. */
  private void settled(int share) {
    waiting.remove(share);
    if (!isDone && (waiting.isEmpty() || good.areEnough())) {
      isDone = true;
      tell(
          search.front(),
          new FrontEnd.Message.Done(search.id(), search.attempt(), good.areEnough(), why));
    }
    if (waiting.isEmpty()) {
      stopSelf();
    }
  }

  private Duration left() {
    return Duration.ofMillis(Math.max(1, search.deadline() - FrontEnd.millis(time())));
  }

  private ActorRef<SearchNode.Message> node(int share) {
    return callboard().ref(tree.node(share), SearchNode.Message.class);
  }
}
