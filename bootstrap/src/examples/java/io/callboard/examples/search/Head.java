package io.callboard.examples.search;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.Protocol;
import io.callboard.examples.search.Head.Search;
import io.callboard.supervision.SupervisionOptions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/** The head of a tree: gives each query a gatherer of its own. */
final class Head extends Actor<Search> {
  /**
   * A query for this tree; the front end gets {@link FrontEnd.Message.Part}s and then one {@link
   * FrontEnd.Message.Done}.
   *
   * @param id of the query, unique
   * @param attempt which one of this query it is; the answers carry it
   * @param limit hits of each share at most
   * @param deadline in milliseconds since 1970: what has not come by then is missing
   * @param wanted the shares whose hits are wanted
   * @param front the path of the front end
   */
  record Search(
      String id,
      int attempt,
      String query,
      int limit,
      long deadline,
      List<Integer> wanted,
      String front) {}

  private final Tree tree;
  private final InstantSource clock;

  Head(Tree tree, InstantSource clock) {
    this.tree = tree;
    this.clock = clock;
  }

  @Override
  protected void protocol(Protocol<Search> on) {
    on.message(Search.class, this::search);
  }

  private void search(Search search) {
    // A gatherer that fails is not started again: the front end asks the other tree instead.
    ActorOptions options =
        new ActorOptions()
            .zone(SearchZones.QUERY)
            .onBus(false)
            .supervision(new SupervisionOptions().intensity(0, Duration.ofMinutes(1)));
    spawnChild(
            Tree.gatherer(search.id(), search.attempt()),
            () -> new Gatherer(tree, search, clock),
            options)
        .onFailure(cause -> giveBack(search, cause));
  }

  private void giveBack(Search search, Throwable cause) {
    tell(
        callboard().ref(search.front(), FrontEnd.Message.class),
        new FrontEnd.Message.Done(
            search.id(), search.attempt(), search.wanted(), "no gatherer: " + cause.getMessage()));
  }
}
