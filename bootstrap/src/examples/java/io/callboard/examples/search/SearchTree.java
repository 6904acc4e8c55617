package io.callboard.examples.search;

import io.callboard.ActorOptions;
import io.callboard.Callboard;
import io.callboard.examples.search.Corpus.Entry;
import io.callboard.supervision.Backoff;
import io.callboard.supervision.ChildKind;
import io.callboard.supervision.FailureZone;
import io.callboard.supervision.SupervisionOptions;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Part of a tree on one member: a failure zone with the nodes and then the head, in a scheduling
 * zone of the tree's own. A child that fails is restarted alone; the tree as a whole if that
 * happens too often.
 */
final class SearchTree {
  private static final Backoff CHILD_BACKOFF =
      Backoff.exponential(Duration.ofMillis(20), Duration.ofSeconds(1));
  private static final Backoff TREE_BACKOFF =
      Backoff.exponential(Duration.ofMillis(100), Duration.ofSeconds(1));

  private final Callboard callboard;
  private final SearchOptions options;
  private final Tree tree;
  private final Tree twin;

  /**
   * Creates the part.
   *
   * @param twin tree from which indexes may be copied
   */
  SearchTree(Callboard callboard, SearchOptions options, Tree tree, Tree twin) {
    this.callboard = callboard;
    this.options = options;
    this.tree = tree;
    this.twin = twin;
  }

  /**
   * Starts the part.
   *
   * @param shares documents of each share
   * @return completes when all of it runs
   */
  Future<Void> start(List<List<Entry>> shares) {
    FailureZone zone = new FailureZone().intensity(options.treeRestarts(), options.treeWindow());
    return callboard
        .supervise(tree.path(), zone, new SupervisionOptions().backoff(TREE_BACKOFF))
        .compose(v -> nodes(shares))
        .compose(
            v ->
                callboard.spawn(
                    tree.head(options.member()), () -> new Head(tree), child().onBus(false)))
        .mapEmpty();
  }

  private Future<?> nodes(List<List<Entry>> shares) {
    List<Future<?>> started = new ArrayList<>();
    for (int i = 0; i < tree.shares(); i++) {
      int share = i;
      if (options.isHere(tree, share)) {
        List<Entry> documents = shares.get(share);
        String fingerprint = Corpus.fingerprint(documents);
        started.add(
            callboard.spawn(
                tree.node(share),
                () -> new SearchNode(tree, twin, share, documents, fingerprint),
                child().startTimeout(SearchNode.START_TIMEOUT)));
      }
    }
    return Future.all(started);
  }

  private ActorOptions child() {
    return new ActorOptions()
        .zone(tree.threads())
        .supervision(new SupervisionOptions().kind(ChildKind.PERMANENT).backoff(CHILD_BACKOFF));
  }
}
