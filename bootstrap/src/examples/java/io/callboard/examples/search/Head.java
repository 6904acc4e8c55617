package io.callboard.examples.search;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Protocol;
import io.callboard.examples.search.Head.Message;
import io.callboard.supervision.ChildKind;
import io.callboard.supervision.SupervisionOptions;
import java.util.List;

/**
 * The head of a tree: gives each query a gatherer of its own, as a temporary child. One that fails
 * is not started again: the front end, which watches it, asks the other tree instead.
 */
final class Head extends Actor<Message> {
  /** Message to a head. */
  sealed interface Message permits Message.Search, Kill {
    /**
     * A query for this tree. The front end gets one {@link FrontEnd.Message.Begun}, {@link
     * FrontEnd.Message.Part}s and then one {@link FrontEnd.Message.Done}.
     *
     * @param id of the query, unique
     * @param attempt which one of this query it is; the answers carry it
     * @param limit hits of each share at most
     * @param deadline in {@link FrontEnd#millis}: what has not come by then is missing
     * @param wanted the shares whose hits are wanted
     * @param good the hits of earlier attempts
     */
    record Search(
        String id,
        int attempt,
        String query,
        int limit,
        long deadline,
        List<Integer> wanted,
        GoodHits good,
        ActorRef<FrontEnd.Message> front)
        implements Message {}
  }

  private final Tree tree;

  Head(Tree tree) {
    this.tree = tree;
  }

  @Override
  protected void protocol(Protocol<Message> on) {
    on.message(Message.Search.class, this::search).message(Kill.class, Kill::strike);
  }

  private void search(Message.Search search) {
    ActorOptions options =
        new ActorOptions()
            .zone(tree.threads())
            .onBus(false)
            .supervision(new SupervisionOptions().kind(ChildKind.TEMPORARY));
    spawnChild(
            "%s.%d".formatted(search.id(), search.attempt()),
            () -> new Gatherer(tree, search),
            options)
        .onFailure(
            cause ->
                tell(
                    search.front(),
                    new FrontEnd.Message.Done(
                        search.id(),
                        search.attempt(),
                        false,
                        "no gatherer: " + cause.getMessage())));
  }
}
