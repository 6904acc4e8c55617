package io.callboard.archive;

import io.callboard.PersistentActor;
import io.callboard.codecs.ActorPath;
import io.callboard.feed.Feeds;
import io.callboard.journal.FeedEvent;
import io.callboard.journal.StateFold;
import io.vertx.core.Future;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Supplier;

/** Reader of an actor's state at an earlier time, computed from its archived events. */
final class AsOf<S> {
  private final Database database;
  private final ActorPath actor;
  private final Supplier<? extends PersistentActor<?, ?, S>> factory;

  /** Finds the position of the last event to apply. */
  @FunctionalInterface
  interface Bound {
    long find(Connection connection, String actor) throws SQLException;
  }

  AsOf(Database database, ActorPath actor, Supplier<? extends PersistentActor<?, ?, S>> factory) {
    this.database = database;
    this.actor = actor;
    this.factory = factory;
  }

  Future<S> read(Bound bound) {
    return database.transaction(
        connection -> {
          long last = bound.find(connection, path());
          return retell(connection, EventTable.begin(connection, path(), last + 1), last);
        });
  }

  private String path() {
    return actor.toString();
  }

  private S retell(Connection connection, long begin, long last) throws SQLException {
    StateFold<S> stateFold = factory.get().retell(actor);
    long at = begin;
    while (at < last) {
      List<FeedEvent> page =
          EventTable.ofActor(connection, Feeds.ARCHIVE, path(), at, Archive.MOST_EVENTS);
      for (FeedEvent event : page) {
        at = event.position();
        if (at <= last) {
          stateFold.add(event.old());
        }
      }
      if (page.isEmpty()) {
        break;
      }
    }
    return stateFold.end();
  }
}
