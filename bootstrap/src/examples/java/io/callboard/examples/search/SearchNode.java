package io.callboard.examples.search;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.Protocol;
import io.callboard.examples.search.Corpus.Entry;
import io.callboard.examples.search.Indexer.Indexed;
import io.callboard.examples.search.SearchNode.Message;
import io.callboard.supervision.ChildKind;
import io.callboard.supervision.SupervisionOptions;
import io.vertx.core.Future;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Actor with the index of one share in one tree. Each start opens the index anew, so a restart is
 * cheap; waiting messages are answered after it. If the index is not complete, an {@link Indexer}
 * below the node builds it first, and the start waits for that.
 */
final class SearchNode extends Actor<Message> {
  /** Time limit of a start, which may have to build the index. */
  static final Duration START_TIMEOUT = Duration.ofMinutes(10);

  private static final Logger log = LoggerFactory.getLogger(SearchNode.class);
  private static final String WARM_QUERY = "this return public \"the value\" AND not";

  /** Message to a node. */
  sealed interface Message permits Message.Weigh, Message.Find, Message.FailNext, Kill {
    /** Answered with the {@link Statistics} of this share for the query. */
    record Weigh(String query) implements Message {}

    /**
     * Answered with what this share has ({@link Found}).
     *
     * @param withinMs how long the search may take, in milliseconds. A duration, because the node
     *     may be on another machine, with another clock
     */
    record Find(String query, Statistics statistics, int limit, long withinMs) implements Message {}

    /** Makes the node fail while it handles its next query. */
    record FailNext() implements Message {}
  }

  private final Tree tree;
  private final Tree twin;
  private final int share;
  private final List<Entry> documents;
  private final String fingerprint;
  private @Nullable ShareIndex index;
  private boolean isDoomed;

  /**
   * Creates a node.
   *
   * @param twin tree from which the index may be copied
   * @param fingerprint fingerprint of the documents
   */
  SearchNode(Tree tree, Tree twin, int share, List<Entry> documents, String fingerprint) {
    this.tree = tree;
    this.twin = twin;
    this.share = share;
    this.documents = documents;
    this.fingerprint = fingerprint;
  }

  @Override
  protected void protocol(Protocol<Message> on) {
    on.message(Message.Weigh.class, this::weigh)
        .message(Message.Find.class, this::find)
        .message(Message.FailNext.class, fail -> isDoomed = true)
        .message(Kill.class, Kill::strike);
  }

  @Override
  protected Future<?> started() {
    return isComplete() ? Future.future(open -> open.complete(open())) : made().map(v -> open());
  }

  private boolean isComplete() {
    try {
      return SearchIndex.isComplete(tree.directory(share), fingerprint);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Future<Indexed> made() {
    ActorOptions options =
        new ActorOptions()
            .zone("blocking")
            .onBus(false)
            .supervision(new SupervisionOptions().kind(ChildKind.TEMPORARY));
    return spawnChild(
            "indexer",
            () -> new Indexer(documents, tree.directory(share), twin.directory(share), fingerprint),
            options)
        .compose(indexer -> indexer.ask(new Indexer.Message.Index(), Indexed.class, START_TIMEOUT))
        .onSuccess(done -> log.info("{}: index {}", tree.node(share), done.how()));
  }

  /**
   * Opens the index and runs a first query, which loads classes, so that clients need not wait for
   * that.
   */
  private ShareIndex open() {
    try {
      ShareIndex opened = ShareIndex.open(share, tree.directory(share), fingerprint);
      index = opened;
      var unused =
          opened.find(
              QuerySyntax.parse(WARM_QUERY), Statistics.NONE, SearchRequest.MAX_LIMIT, () -> false);
      return opened;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  protected Future<?> stopped() {
    try {
      if (index != null) {
        index.close();
      }
      return Future.succeededFuture();
    } catch (IOException e) {
      return Future.failedFuture(e);
    }
  }

  private void weigh(Message.Weigh weigh) {
    failIfDoomed();
    try {
      reply(index().weigh(QuerySyntax.parse(weigh.query())));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void find(Message.Find find) {
    failIfDoomed();
    long end = time().nanoTime() + Duration.ofMillis(find.withinMs()).toNanos();
    try {
      reply(
          index()
              .find(
                  QuerySyntax.parse(find.query()),
                  find.statistics(),
                  find.limit(),
                  () -> time().nanoTime() - end >= 0));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void failIfDoomed() {
    if (isDoomed) {
      new Kill().strike();
    }
  }

  private ShareIndex index() {
    if (index == null) {
      throw new IllegalStateException("not started");
    }
    return index;
  }
}
