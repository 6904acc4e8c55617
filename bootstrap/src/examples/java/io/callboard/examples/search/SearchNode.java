package io.callboard.examples.search;

import io.callboard.Actor;
import io.callboard.Protocol;
import io.callboard.examples.search.SearchNode.Message;
import io.vertx.core.Future;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Has the index of one share in one tree, and answers for it. Each start opens the index anew, so a
 * restart is cheap; what waits in its mailbox meanwhile is answered after it. It blocks: zone
 * {@link SearchZones#SEARCH}.
 */
final class SearchNode extends Actor<Message> {
  /** What a node understands. Deadlines are in milliseconds since 1970. */
  sealed interface Message {
    /** Answered with the {@link Statistics} of this share for the query. */
    record Weigh(String query, long deadline) implements Message {}

    /** Answered with what this share has ({@link Found}). */
    record Find(String query, Statistics statistics, int limit, long deadline) implements Message {}

    /**
     * Makes the node fail, to show what happens then.
     *
     * @param inNextQuery not now, but while it handles its next query
     */
    record Kill(boolean inNextQuery) implements Message {}
  }

  private final int share;
  private final Path directory;
  private final String fingerprint;
  private final InstantSource clock;
  private @Nullable ShareIndex index;
  private boolean doomed;

  SearchNode(int share, Path directory, String fingerprint, InstantSource clock) {
    this.share = share;
    this.directory = directory;
    this.fingerprint = fingerprint;
    this.clock = clock;
  }

  @Override
  protected void protocol(Protocol<Message> on) {
    on.message(Message.Weigh.class, this::weigh)
        .message(Message.Find.class, this::find)
        .message(Message.Kill.class, this::kill);
  }

  @Override
  protected Future<?> started() {
    try {
      index = ShareIndex.open(share, directory, fingerprint, clock);
      return Future.succeededFuture();
    } catch (IOException e) {
      return Future.failedFuture(e);
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
    if (clock.millis() >= weigh.deadline()) {
      reply(Statistics.sum(List.of())); // nobody waits for it any more
      return;
    }
    try {
      reply(index().weigh(QuerySyntax.parse(weigh.query())));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void find(Message.Find find) {
    failIfDoomed();
    if (clock.millis() >= find.deadline()) {
      reply(Found.outOfTime(share)); // nobody waits for it any more
      return;
    }
    try {
      reply(
          index()
              .find(
                  QuerySyntax.parse(find.query()),
                  find.statistics(),
                  find.limit(),
                  find.deadline()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void kill(Message.Kill kill) {
    doomed = true;
    if (!kill.inNextQuery()) {
      failIfDoomed();
    }
  }

  private void failIfDoomed() {
    if (doomed) {
      throw new IllegalStateException("killed on demand");
    }
  }

  private ShareIndex index() {
    if (index == null) {
      throw new IllegalStateException("not started");
    }
    return index;
  }
}
