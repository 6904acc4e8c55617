package io.callboard.examples.search;

import io.callboard.ActorOptions;
import io.callboard.ActorStatus;
import io.callboard.Callboard;
import io.callboard.examples.search.Corpus.Entry;
import io.callboard.supervision.Backoff;
import io.callboard.supervision.SupervisionOptions;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts and stops one tree: a failure zone. Its nodes are restarted alone by their supervisors;
 * the overseer restarts the tree.
 *
 * <p>This is built with what the front door has today; when supervisors can be nested, this class
 * and {@link TreeWatch} become the options of one.
 */
final class TreeZone {
  private static final Logger log = LoggerFactory.getLogger(TreeZone.class);
  private static final Backoff NODE_BACKOFF =
      Backoff.exponential(Duration.ofMillis(20), Duration.ofSeconds(1));
  private static final String WARM_QUERY = "this return public \"the value\" AND not";
  private static final Duration WARM_LIMIT = Duration.ofSeconds(10);
  private static final int NODE_RESTARTS = 20;
  private static final int INDEXER_RESTARTS = 2;
  private static final Duration WINDOW = Duration.ofMinutes(1);

  private final Callboard callboard;
  private final Tree tree;
  private final Tree twin;
  private final List<List<Entry>> shares;
  private final InstantSource clock;

  TreeZone(
      Callboard callboard, Tree tree, Tree twin, List<List<Entry>> shares, InstantSource clock) {
    this.callboard = callboard;
    this.tree = tree;
    this.twin = twin;
    this.shares = shares;
    this.clock = clock;
  }

  /** Starts the indexers; each tells the overseer when its index is there. */
  Future<Void> index() {
    ActorOptions options =
        new ActorOptions()
            .zone(SearchZones.INDEXING)
            .onBus(false)
            .supervision(
                new SupervisionOptions().backoff(NODE_BACKOFF).intensity(INDEXER_RESTARTS, WINDOW));
    List<Future<?>> started = new ArrayList<>();
    for (int i = 0; i < tree.shares(); i++) {
      int share = i;
      started.add(
          callboard.spawn(
              tree.indexer(share),
              () ->
                  new Indexer(
                      tree.name(),
                      share,
                      shares.get(share),
                      tree.directory(share),
                      twin.directory(share)),
              options));
    }
    return Future.join(started).mapEmpty();
  }

  /** Stops the indexers, then starts the nodes, and the head last. */
  Future<Void> start() {
    return stopWhere(status -> status.path().toString().startsWith(tree.path() + "/indexers/"))
        .compose(v -> nodes())
        .compose(
            v ->
                callboard.spawn(
                    tree.head(),
                    () -> new Head(tree, clock),
                    new ActorOptions().zone(SearchZones.QUERY).onBus(false)))
        .compose(v -> warm());
  }

  /** The first queries load classes and compile: users need not wait for that. */
  private Future<Void> warm() {
    List<Future<?>> asked = new ArrayList<>();
    for (int share = 0; share < tree.shares(); share++) {
      var find =
          new SearchNode.Message.Find(
              WARM_QUERY,
              Statistics.sum(List.of()),
              SearchRequest.MAX_LIMIT,
              clock.millis() + WARM_LIMIT.toMillis());
      asked.add(
          callboard
              .ref(tree.node(share), SearchNode.Message.class)
              .ask(find, Found.class, WARM_LIMIT));
    }
    return Future.join(asked)
        .<Void>mapEmpty()
        .otherwise(
            cause -> {
              log.info("tree {} is not quite warm: {}", tree.name(), cause.getMessage());
              return null;
            });
  }

  private Future<Void> nodes() {
    ActorOptions options =
        new ActorOptions()
            .zone(SearchZones.SEARCH)
            .onBus(false)
            .supervision(
                new SupervisionOptions().backoff(NODE_BACKOFF).intensity(NODE_RESTARTS, WINDOW));
    List<Future<?>> started = new ArrayList<>();
    for (int i = 0; i < tree.shares(); i++) {
      int share = i;
      String fingerprint = Corpus.fingerprint(shares.get(share));
      started.add(
          callboard.spawn(
              tree.node(share),
              () -> new SearchNode(share, tree.directory(share), fingerprint, clock),
              options));
    }
    return Future.join(started).mapEmpty();
  }

  /** Stops the head, its gatherers with it, then what is beside it. */
  Future<Void> stop() {
    return stopWhere(status -> status.path().toString().equals(tree.head()))
        .compose(v -> stopWhere(status -> tree.has(status.path().toString())));
  }

  private Future<Void> stopWhere(java.util.function.Predicate<ActorStatus> which) {
    return callboard
        .running()
        .compose(
            running -> {
              List<ActorStatus> chosen = new ArrayList<>(running.stream().filter(which).toList());
              Collections.reverse(chosen);
              List<Future<?>> stopped = new ArrayList<>();
              chosen.forEach(status -> stopped.add(callboard.stop(status.path().toString())));
              return Future.join(stopped).mapEmpty();
            });
  }
}
