package io.callboard.archive;

import io.callboard.ActorOptions;
import io.callboard.Callboard;
import io.callboard.PersistentActor;
import io.callboard.codecs.ActorPath;
import io.callboard.feed.FeedSink;
import io.callboard.feed.Feeds;
import io.callboard.journal.EventHistory;
import io.callboard.journal.FeedEvent;
import io.callboard.time.Time;
import io.callboard.zone.ZoneDefaults;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The history of actors in a database: H2 within the process, or PostgreSQL. Thread-safe; nothing
 * of it blocks.
 *
 * <pre>{@code
 * Archive.open(vertx, "jdbc:postgresql://db/callboard?user=callboard&password=…")
 *     .compose(archive -> Feeds.host(callboard, archive.sink()));
 * }</pre>
 */
public final class Archive {
  /** Events of one page. */
  public static final int MOST_EVENTS = 1_000;

  private static final int FEED_CONNECTIONS = 2;
  private static final int OTHER_CONNECTIONS = 6;

  private final Database feeds;
  private final Database database;
  private final String id;

  /**
   * @param feeds of the feeds alone: nothing that takes long holds them up
   * @param database for all else
   */
  private Archive(Database feeds, Database database, String id) {
    this.feeds = feeds;
    this.database = database;
    this.id = id;
  }

  /**
   * Connects and makes its tables, or brings them up to date. All nodes of a cell use one database;
   * several cells use a schema each.
   *
   * <p>While the database cannot be reached it is tried again, for as long as it takes; each time a
   * line in the log says so.
   *
   * @param url of JDBC, with user and password where they are needed; it is not logged
   * @return fails at once for any other reason, such as a wrong password
   */
  public static Future<Archive> open(Vertx vertx, String url) {
    return open(vertx, url, Duration.ofNanos(Long.MAX_VALUE));
  }

  /**
   * The same with an end.
   *
   * @param patience for how long it is tried again; zero for one attempt
   */
  public static Future<Archive> open(Vertx vertx, String url, Duration patience) {
    Objects.requireNonNull(url, "url is null: give a JDBC URL, such as jdbc:h2:./archive");
    Objects.requireNonNull(patience, "patience is null: give Duration.ZERO for one attempt");
    return new Patience(vertx, patience, Time.SYSTEM).open(() -> connect(vertx, url));
  }

  private static Future<Archive> connect(Vertx vertx, String url) {
    return Database.open(vertx, url, "callboard-archive-feeds", FEED_CONNECTIONS)
        .compose(
            feeds ->
                Database.open(vertx, url, "callboard-archive", OTHER_CONNECTIONS)
                    .compose(others -> open(feeds, others))
                    .onFailure(
                        cause -> {
                          var unused = feeds.close();
                        }));
  }

  private static Future<Archive> open(Database feeds, Database others) {
    return twice(() -> feeds.durably(ArchiveId::of))
        .map(id -> new Archive(feeds, others, id))
        .onFailure(
            cause -> {
              var unused = others.close();
            });
  }

  /** Whoever is second to make something is refused, and finds it when it looks again. */
  private static <T> Future<T> twice(Supplier<Future<T>> made) {
    return made.get().recover(cause -> made.get());
  }

  /** What the feeds are to write to, on every node that hosts them. */
  public FeedSink sink() {
    return new FeedSink() {
      @Override
      public String id() {
        return id;
      }

      @Override
      public Future<Void> write(List<FeedEvent> events, boolean begins) {
        return feeds.durably(connection -> EventTable.write(connection, events, begins)).mapEmpty();
      }
    };
  }

  /**
   * Where nodes read events that journals have no more ({@link
   * io.callboard.CallboardOptions#history()}).
   */
  public EventHistory events() {
    return (actor, begun, after, limit) ->
        database.transaction(
            connection -> EventTable.ofLife(connection, actor.toString(), begun, after, limit));
  }

  /**
   * Events of an actor that is {@linkplain ActorOptions#archived archived}, and {@link
   * FeedEvent#ENDED} where it deleted itself, the oldest first; also of an actor that is gone.
   *
   * @param after the position in the archive behind which they are, 0 for the first
   * @param limit 1 to {@value #MOST_EVENTS}
   * @return fails with a {@link io.callboard.store.StoreException} of kind {@code UNAVAILABLE} if
   *     the database cannot tell, as everything here does
   * @throws IllegalArgumentException for a path or a limit that is none
   */
  public Future<List<FeedEvent>> history(String actor, long after, int limit) {
    String path = ActorPath.of(actor).toString();
    if (limit < 1 || limit > MOST_EVENTS) {
      throw new IllegalArgumentException(
          "%d events at once: give a limit of 1 to %d".formatted(limit, MOST_EVENTS));
    }
    return database.transaction(
        connection -> EventTable.ofActor(connection, Feeds.ARCHIVE, path, after, limit));
  }

  /**
   * The state of an actor as it was after the last event that was committed at that time or before,
   * by the clock of the node that committed it.
   *
   * @param actor that is archived since its first event
   * @param factory of its class, for what its events mean
   * @return its initial state if there was no event; fails with a {@link
   *     io.callboard.journal.ReplayException} if one cannot be read
   */
  public <S> Future<S> stateAsOf(
      String actor, Supplier<? extends PersistentActor<?, ?, S>> factory, Instant time) {
    Objects.requireNonNull(time, "time is null: give an instant");
    return new AsOf<>(database, ActorPath.of(actor), factory)
        .read((connection, path) -> EventTable.lastUntil(connection, path, time));
  }

  /**
   * The same after its event of that number.
   *
   * @param event its number, in the last life of the actor that has one of that number
   * @return fails with {@link IllegalArgumentException} if there is none
   */
  public <S> Future<S> stateAsOf(
      String actor, Supplier<? extends PersistentActor<?, ?, S>> factory, long event) {
    return new AsOf<>(database, ActorPath.of(actor), factory)
        .read((connection, path) -> EventTable.numbered(connection, path, event));
  }

  /**
   * Keeps a projection up to date from now on, from where it is; as long as {@code callboard} is
   * open. On several nodes it is kept up by one after the other. What fails then is logged, and
   * tried again for as long as it takes.
   *
   * @return fails if its tables cannot be prepared, with {@link IllegalStateException} if it
   *     follows another feed in this database, or with {@code PATH_TAKEN} if it is kept up here
   * @throws IllegalArgumentException if its name is none of an actor
   */
  public Future<Void> project(Callboard callboard, Projection projection) {
    String name = Objects.requireNonNull(projection.name(), "the name of the projection is null");
    ActorPath path = ActorPath.of("/callboard/projection").child(callboard.node()).child(name);
    return twice(
            () ->
                database.transaction(
                    connection -> {
                      ProjectionTable.begin(connection, projection);
                      return name;
                    }))
        .compose(
            begun ->
                callboard.spawn(
                    path.toString(),
                    () -> new Projector(database, projection),
                    new ActorOptions().onBus(false).zone(ZoneDefaults.TOOLKIT)))
        .mapEmpty();
  }

  /**
   * Empties a projection's tables and lets it begin with the first event of its feed again, in one
   * transaction, which also applies the first 500: if they cannot be, nothing is changed. Until it
   * is there again its tables are of the past; whoever minds gives the new one another name and
   * tables, and moves its readers.
   *
   * @return fails with {@link UnsupportedOperationException} if it does not override {@link
   *     Projection#reset}, with {@link IllegalStateException} if it was never begun
   */
  public Future<Void> rebuild(Projection projection) {
    return database
        .transaction(connection -> ProjectionTable.rebuild(connection, projection))
        .mapEmpty();
  }

  /**
   * How far a projection is, whoever keeps it.
   *
   * @return fails with {@link IllegalArgumentException} if there is none of that name
   */
  public Future<ProjectionStatus> status(String projection) {
    return database.transaction(connection -> ProjectionTable.status(connection, projection));
  }

  /** The position of the last event of each feed that was written here. */
  public Future<Map<String, Long>> positions() {
    return database.transaction(CutTable::lasts);
  }

  /** What {@link #cut} would move away. Changes nothing. */
  public Future<FeedCut> ahead(String feed, long position) {
    return database.transaction(connection -> CutTable.look(connection, feed, position));
  }

  /**
   * Cuts a feed back to where its cell is, after the cell was restored to a moment before the
   * archive's: what is behind that is moved to the table {@code callboard_cut_event}. Projections
   * that have applied some of it are emptied when they go on, and begin with the first event. No
   * node of the cell may run.
   *
   * @param position tells the position of the feed in the cell, and fails if a node runs; called
   *     before and after, on a thread that may wait, while no feed can write
   * @param now noted with what is cut
   * @return fails with {@link IllegalStateException} if the position changed meanwhile; nothing was
   *     cut then
   */
  public Future<FeedCut> cut(String feed, LongSupplier position, Instant now) {
    return feeds.durably(
        connection -> {
          CutTable.lock(connection);
          long to = position.getAsLong();
          FeedCut cut = CutTable.cut(connection, feed, to, now);
          if (position.getAsLong() != to) {
            throw new IllegalStateException(
                "feed %s grew meanwhile: stop all nodes of the cell first".formatted(feed));
          }
          return cut;
        });
  }

  /** Completes when nothing of it is open. What uses it is closed before. */
  public Future<Void> close() {
    return Future.join(feeds.close(), database.close()).mapEmpty();
  }
}
